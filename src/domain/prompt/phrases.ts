/** Starts each line of a prompt that contains a story card. */
export const LORE = 'World lore: '

/** Opens a memory in a prompt. */
export const EARLIER = '[Earlier in the story: '

/** Opens a memory that is no longer so. */
export const FORMERLY = '[Formerly in the story: '

/** Opens a passage that tells what is no longer so; its number and a colon follow. */
export const FORMER_PASSAGE = '[Formerly, passage '

/** Opens a passage in a prompt that is quoted from before the window; its number and a colon follow. */
export const EARLIER_PASSAGE = '[Earlier, passage '

/** Opens the author's note. */
export const AUTHORS_NOTE = "[Author's note: "

/** Opens the player's note about the next passage. */
export const STEERING = '[For this passage only: '

/** Opens the last line of each message of the player. */
export const REQUEST_OPENING = '[Tell what happens after this'

/** The last line of each message of the player: what to write. It stays in the prompt, so it is short. */
export const REQUEST = `${REQUEST_OPENING}: something new, and who reacts. Begin with the world or another person, not with the player's words, and stop before the player acts.]`

/** The last line of another attempt at a reply in which nothing is good. */
export const OTHER_REQUEST = `${REQUEST_OPENING} in words that nobody has read yet: what the player sees and hears, who answers, and what is different now.]`

/** Stands above the plot essentials. */
export const PLOT_HEADING = 'What is true in this story:'

/** Stands above the example dialogue. */
export const EXAMPLES_HEADING = 'How the characters speak, as examples. None of this has happened:'

/** Stands above the summary of what the window no longer shows. */
export const SUMMARY_HEADING = 'The story so far:'

/** Stands in for the player's line when they continue without one. */
export const CONTINUE_REQUEST = 'Go on with the story.'

/** Precedes the opening of a story, because a chat starts with the user. */
export const BEGIN_REQUEST = 'Begin the story.'

export const LORE = 'World lore: '

export const EARLIER = '[Earlier in the story: '

export const FORMERLY = '[Formerly in the story: '

/** A number and a colon follow. */
export const FORMER_PASSAGE = '[Formerly, passage '

/** A number and a colon follow. */
export const EARLIER_PASSAGE = '[Earlier, passage '

export const AUTHORS_NOTE = "[Author's note: "

export const STEERING = '[For this passage only: '

/** The last line of each message of the player: what to write. It stays in the prompt, so it is short. */
export const REQUEST =
  "[Tell what happens after this: something new, and who reacts. Begin with the world or another person, not with the player's words, and stop before the player acts.]"

/** Alternates with the next one: small models go on as before unless something in the prompt is new. */
export const LONG_REQUEST =
  "[Answer the player with what the world does next: three to five sentences in which something new happens that nobody has told yet, and in which somebody or something reacts. Begin with what the world or another person does, never with “You say” and never with the player's words. Stop before the player would act.]"

export const OTHER_REQUEST =
  '[Tell in words that nobody has read yet what the player sees and hears now, who answers, and what is different.]'

export function otherRequest(sent: string | undefined): string {
  return sent === LONG_REQUEST ? OTHER_REQUEST : LONG_REQUEST
}

export const REQUEST_OPENINGS = [REQUEST, LONG_REQUEST, OTHER_REQUEST].map((text) => text.slice(0, 30))

export const PLOT_HEADING = 'What is true in this story:'

export const EXAMPLES_HEADING = 'How the characters speak, as examples. None of this has happened:'

export const SUMMARY_HEADING = 'The story so far:'

/** Stands in for the player's line when they continue without one. */
export const CONTINUE_REQUEST = 'Go on with the story.'

/** Precedes the opening of a story, because a chat starts with the user. */
export const BEGIN_REQUEST = 'Begin the story.'

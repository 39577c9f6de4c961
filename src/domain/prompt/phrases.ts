/** Begins each line of a prompt that shows a story card. */
export const LORE = 'World lore: '

/** Stands where the player says nothing and wants to hear more. */
export const GO_ON = 'Go on with the story.'

/** Stands before the opening of a story, because a chat begins with its user. */
export const OPENER = 'Begin the story.'

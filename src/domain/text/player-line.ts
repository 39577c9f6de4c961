import type { ActionType, PlayerLineType } from '../action.ts'

const ENDS = /[.!?…]$/u

/** The stored form of what a player typed: "open the door" as `do` becomes "> You open the door.". */
export function formatLine(type: PlayerLineType, typed: string): string {
  const text = typed.trim()
  if (type === 'story') return text
  if (type === 'do') return `> You ${withFullStop(text.replace(/^you /i, ''))}`
  return `> You say "${withFullStop(unquoted(text))}"`
}

/** What a player typed, from its stored form, to restore it in the composer after an undo. */
export function typedWords(type: ActionType, stored: string): string {
  if (type === 'do') return stored.replace(/^> You /, '')
  if (type === 'say') return stored.replace(/^> You say "([\s\S]*)"$/, '$1')
  return stored
}

function withFullStop(text: string): string {
  return ENDS.test(text) ? text : `${text}.`
}

// Removes only quotation marks around the whole text; a quotation inside it keeps its own.
function unquoted(text: string): string {
  const quoted = /^["“](.*)["”]$/su.exec(text)
  return quoted?.[1] !== undefined && !/["“”]/.test(quoted[1]) ? quoted[1] : text
}

/** How a reply starts to speak for the player. */
export const PLAYER_LINE = '\n> You'

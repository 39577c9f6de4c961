import type { ActionType, PlayerLineType } from '../action.ts'

const ENDS = /[.!?…]$/u

/**
 * The stored form of what a player typed: "open the door" as `do` is "> You open the door.". The stored form is
 * never formatted again.
 */
export function formatLine(type: PlayerLineType, typed: string): string {
  const text = typed.trim()
  if (type === 'story') return text
  if (type === 'do') return `> You ${ended(text.replace(/^you /i, ''))}`
  return `> You say "${ended(unquoted(text))}"`
}

/** What a player typed, from its stored form: for the composer, after an undo. */
export function typedWords(type: ActionType, stored: string): string {
  if (type === 'do') return stored.replace(/^> You /, '')
  if (type === 'say') return stored.replace(/^> You say "([\s\S]*)"$/, '$1')
  return stored
}

function ended(text: string): string {
  return ENDS.test(text) ? text : `${text}.`
}

// Only a pair around the whole goes: an inner quotation keeps its marks.
function unquoted(text: string): string {
  const quoted = /^["“](.*)["”]$/su.exec(text)
  return quoted?.[1] !== undefined && !/["“”]/.test(quoted[1]) ? quoted[1] : text
}

/** How a model begins that writes the player's words itself. */
export const PLAYER_LINE = '\n> You'

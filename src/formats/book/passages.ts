import { type ActionType, worldChange } from '../../domain/action.ts'
import { changeWords, verdictWords } from '../../domain/world/change-words.ts'
import { type Block, blocksOf } from '../../domain/text/prose-markup.ts'
import { isBlank } from '../../lib/text.ts'
import { isObject } from '../../lib/objects.ts'
import { verdictsOf } from '../../domain/world/delta-report.ts'
import type { CarriedAction, CarriedAdventure } from '../../domain/portable/portable.ts'
import { legible } from './control-characters.ts'

/** What a reader wants to see of a story. */
export interface Reading {
  /** What the player did and said. Prose that the player wrote is a part of the story and always there. */
  player_lines: boolean
  /** All attempts at a passage, not only the one that the story goes on from. */
  attempts: boolean
  /** What each passage changed in the world. */
  stats: boolean
  /** The first and the last action, counted from 0. */
  from: number
  to: number
}

/** The story and the player's lines, without anything beside them. */
export const WHOLE_STORY: Reading = {
  player_lines: true,
  attempts: false,
  stats: false,
  from: 0,
  to: Number.MAX_SAFE_INTEGER,
}

/** One telling of a passage. */
export interface Telling {
  /** Which attempt it is, in words; '' where only one is shown. */
  label: string
  /** The story goes on from it. */
  isLive: boolean
  blocks: Block[]
  /** What it changed in the world, in words. */
  changes: string[]
}

/** An action as a book shows it. */
export interface Passage {
  /** Its index in the story. */
  place: number
  isPlayers: boolean
  tellings: Telling[]
}

/** The actions that a reader wants, the empty ones left out. */
export function chosenActions(
  { actions }: CarriedAdventure,
  { player_lines, from, to }: Pick<Reading, 'player_lines' | 'from' | 'to'>,
): { place: number; action: CarriedAction }[] {
  return actions
    .map((action, place) => ({ place, action }))
    .slice(from, to + 1)
    .filter(({ action }) => player_lines || !isLine(action.type))
}

/** A story as passages to be read. */
export function passagesOf(adventure: CarriedAdventure, reading: Reading): Passage[] {
  return chosenActions(adventure, reading)
    .map(({ place, action }) => ({
      place,
      isPlayers: isLine(action.type),
      tellings: tellingsOf(action, reading),
    }))
    .filter(({ tellings }) => tellings.length > 0)
}

function isLine(type: ActionType): boolean {
  return type === 'do' || type === 'say'
}

function tellingsOf(action: CarriedAction, { attempts, stats }: Reading): Telling[] {
  const { variants, variant_index, world_delta } = action
  const all = attempts && variants.length > 1
  const shown = all
    ? variants.map(({ text, world_state }, i) => ({
        label: `Attempt ${i + 1} of ${variants.length}`,
        isLive: i === variant_index,
        text,
        delta: i === variant_index ? world_delta : (world_state?.report ?? null),
      }))
    : [{ label: '', isLive: true, text: action.text, delta: world_delta }]
  return shown
    .map(({ text, delta, ...telling }) => ({
      ...telling,
      blocks: blocksOf(legible(shownText(action.type, text))),
      changes: stats && isObject(delta) ? changesOf(delta) : [],
    }))
    .filter(({ blocks, changes }) => blocks.length > 0 || changes.length > 0)
}

// The mark in front of a stored line is for the model.
function shownText(type: ActionType, text: string): string {
  return isLine(type) ? text.replace(/^> /, '') : text
}

function changesOf(delta: Record<string, unknown>): string[] {
  return verdictsOf(delta).map((verdict) => {
    const change = worldChange(verdict)
    const why = verdictWords(change)
    return why === '' ? changeWords(change) : `${changeWords(change)} (${why})`
  })
}

/** The title of a document, which must have one. */
export function titleOf({ title }: { title: string }): string {
  const shown = legible(title).replace(/\s+/g, ' ').trim()
  return isBlank(shown) ? 'Untitled' : shown
}

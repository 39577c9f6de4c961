import type { Adventure } from '../adventure.ts'
import { cardMatcher } from '../cards/card-triggers.ts'
import { markOf } from '../../lib/hash.ts'
import type { Recalled } from '../recall/recall.ts'
import { isBlank } from '../../lib/text.ts'
import { REMINDER } from '../world/prompt/guide.ts'
import { liveLines, liveSection } from '../world/live.ts'
import { chooseLore, MOST_LORE } from './called.ts'
import { type Note, type Notes, type Shown, shownIn } from './notes.ts'
import { presentIn } from './present-characters.ts'
import type { Prompt, PromptInput, RecalledMemory, Shed } from './prompt.ts'
import { costOf } from './room.ts'
import { type Told, turnParts } from './window.ts'

/** How many of the newest actions can call up a card. */
const SCANNED = 6
const LORE_SHARE = 0.4
/** The author's note is told anew after so many turns. */
const NOTE_EVERY = 6

interface Noted {
  notes: Notes
  cards: Prompt['cards']
  memories: Prompt['memories']
}

/** What is new at this turn: lore that was called up, the world where it changed, the author's note when it is due. */
export function notesFor(
  { adventure, cards, matcher = cardMatcher(cards), world, retold, recall = () => [] }: PromptInput,
  window: readonly Told[],
  lines: readonly string[],
  room: number,
  shed: readonly Shed[],
  front: string,
): Noted {
  const shown = shownIn(window.filter(({ type }) => type === 'ai').map(({ notes }) => notes))
  const scanned = window
    .slice(-SCANNED)
    .map(({ text }) => text)
    .join('\n')
  const called = matcher.match(scanned)
  const state = world
    ? newLines(liveLines(world.rules, world.state, presentIn(world.rules, scanned)), shown)
    : []
  const before = [
    ...(state.length > 0 ? [note('world_state', liveSection(state))] : []),
    ...authorsNote(adventure, shown, shed),
  ]
  const after = [
    ...(world && world.refusals !== '' ? [note('refusals', world.refusals)] : []),
    ...(world ? [note('world_state_reminder', REMINDER)] : []),
  ]
  const inputs = markOf(
    JSON.stringify([
      front,
      lines,
      before,
      after,
      called.map(({ card, blocked }) => [cards[card]?.id, cards[card]?.entry, blocked]),
    ]),
  )
  const free = room - costOf(turnParts(lines, { before, after }))
  const lore = chooseLore(
    cards,
    called,
    shown,
    shed.includes('lore') ? 0 : Math.min(free * LORE_SHARE, MOST_LORE),
  )
  const memory = chooseMemories(
    shed.includes('memories')
      ? []
      : recall(
          window[0]?.index ?? 0,
          called.map(({ key }) => key),
        ),
    shown,
  )
  const about = { cards: lore.cards, memories: memory.memories }
  if (retold && retold.inputs === inputs) return { notes: retold, ...about }
  return {
    notes: {
      before: [...memory.notes, ...lore.notes, ...before],
      after,
      lore: lore.shown,
      memories: memory.shown,
      inputs,
    },
    ...about,
  }
}

/** A memory as it stands in a prompt. */
export function memoryLine(text: string): string {
  return `[Earlier in the story: ${text.trim()}]`
}

function chooseMemories(recalled: readonly Recalled[], shown: Shown) {
  const isTold = ({ text }: Recalled): boolean => shown.memories.has(markOf(memoryLine(text)))
  const fresh = recalled.filter((memory) => !isTold(memory))
  return {
    notes: fresh.map(({ text }) => note('memories', memoryLine(text))),
    shown: fresh.map(({ id, text }): [number, string] => [id, markOf(memoryLine(text))]),
    memories: recalled.map(
      (memory): RecalledMemory => ({
        id: memory.id,
        text: memory.text,
        pinned: memory.pinned,
        via: memory.via,
        terms: memory.terms,
        reason: isTold(memory) ? 'already told' : 'told',
      }),
    ),
  }
}

// What stands in the window as it is need not be said again.
function newLines(lines: readonly string[], shown: Shown): string[] {
  const told = new Set(shown.state.values())
  return lines.filter((line) => !told.has(line))
}

function authorsNote({ authors_note }: Adventure, { note: last }: Shown, shed: readonly Shed[]): Note[] {
  if (isBlank(authors_note)) return []
  const text = `[Author's note: ${authors_note.trim()}]`
  const isRepeat = last?.text === text
  if (isRepeat && (last.ago < NOTE_EVERY || shed.includes("author's note"))) return []
  return [note('authors_note', text)]
}

function note(label: Note['label'], text: string): Note {
  return { label, text }
}

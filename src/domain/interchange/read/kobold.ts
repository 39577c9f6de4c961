import { LIMITS } from '../../limits.ts'
import { formatLine } from '../../text/player-line.ts'
import type { CardFields } from '../../story-card.ts'
import { cutTo, isBlank } from '../../../lib/text.ts'
import type { Variant } from '../../variant.ts'
import { isObject, ownValue } from '../../../lib/objects.ts'
import type { CarriedAction } from '../../portable/portable.ts'
import { MOST_CARDS } from './cards.ts'
import { emptyAdventure } from '../../../formats/shared/empty-adventure.ts'
import { loreFrom } from './lore.ts'
import { MOST_PASSAGES, narration, passage } from './passages.ts'
import { itemsOf, pickCount, pickText } from './pick.ts'
import { type Format, planOf } from './plan.ts'
import { Reading } from '../../../formats/shared/receipt.ts'
import { refused } from '../../../formats/shared/import-refused.ts'
import { keyless } from './world-info.ts'

type Keyed = Record<string, unknown>

const SIGNS = ['actions', 'savedsettings', 'gamestarted']

/** A save of KoboldAI Lite, or of KoboldAI United. */
export const koboldSave: Format = {
  kind: 'kobold-lite',
  fits: (file) =>
    isObject(file) && Object.hasOwn(file, 'prompt') && SIGNS.some((key) => Object.hasOwn(file, key)),
  read: (file, title) => {
    const reading = new Reading()
    if (!isObject(file)) throw refused('This is no save.')
    if (Object.hasOwn(file, 'gamestarted'))
      reading.judge('taken', file, 'gamestarted', 'What kind of file it is.')
    const speakers = pickSpeakers(reading, file)
    const opening = plain(pickText(reading, file, ['prompt'], 'Opening', { limit: Infinity }))
    const told = piecesOf(reading, file).flatMap((piece) => passagesFrom(piece, speakers))
    if (told.length > MOST_PASSAGES) throw refused(`This save has more than ${MOST_PASSAGES} passages.`)
    const memory = pickText(reading, file, ['memory'], 'Plot essentials')
    const lore = pickLore(reading, file)
    const always = lore.always.filter(({ entry }) => memory.length + entry.length < LIMITS.prose / 2)
    const left = lore.always.filter((card) => !always.includes(card))
    const adventure = {
      ...emptyAdventure(title),
      memory: cutTo([memory, ...always.map(({ entry }) => entry)].filter(Boolean).join('\n\n'), LIMITS.prose),
      authors_note: pickNote(reading, file),
      story_cards: [...lore.cards, ...left.map(keyless)].map((card) => ({ ...card, source_ref: null })),
      actions: [passage('start', opening), ...told],
    }
    return planOf('kobold-lite', reading, file, { adventures: [adventure] })
  },
}

/** How the speakers of a save are told apart. */
interface Speakers {
  mode: 'story' | 'adventure' | 'chat' | 'instruct'
  you: string
  others: string[]
}

const MODES = ['story', 'adventure', 'chat', 'instruct'] as const

// Of the settings of a save only these are looked at; addresses, keys and samplers never.
function pickSpeakers(reading: Reading, file: Keyed): Speakers {
  const { savedsettings } = file
  if (!isObject(savedsettings)) return { mode: 'story', you: '', others: [] }
  reading.open(savedsettings)
  const label = 'How the speakers are told apart'
  const mode = MODES[(pickCount(reading, savedsettings, ['opmode'], label) ?? 1) - 1] ?? 'story'
  const you = pickText(reading, savedsettings, ['chatname'], label, { limit: LIMITS.name })
  const others = pickText(reading, savedsettings, ['chatopponent'], label, { limit: LIMITS.prose })
  return { mode, you, others: others.split('||$||').filter((one) => !isBlank(one)) }
}

/** A stretch of text as the save keeps it, and other texts that were told in its place. */
interface Piece {
  text: string
  others: string[]
}

function piecesOf(reading: Reading, file: Keyed): Piece[] {
  const { actions } = file
  if (Array.isArray(actions)) return listed(reading, file, actions)
  const numbered = isObject(actions) && isObject(actions.actions) ? actions.actions : null
  return isObject(actions) && numbered ? united(reading, actions, numbered) : []
}

function listed(reading: Reading, file: Keyed, actions: unknown[]): Piece[] {
  reading.judge('taken', file, 'actions', 'Passages.')
  for (const [at, one] of actions.entries())
    if (typeof one !== 'string') {
      reading.open(actions)
      reading.judge('dropped', actions, at, 'A passage that is no text.')
    }
  const { altbranches } = file
  const branches = Array.isArray(altbranches) ? altbranches : []
  if (Object.hasOwn(file, 'altbranches')) reading.judge('taken', file, 'altbranches', 'Other attempts.')
  return actions.flatMap((one, at) =>
    typeof one === 'string' ? [{ text: one.toWellFormed(), others: texts(branches[at]) }] : [],
  )
}

// KoboldAI United numbers its passages and keeps what was not chosen beside each.
function united(reading: Reading, actions: Keyed, numbered: Keyed): Piece[] {
  reading.open(actions)
  if (Object.hasOwn(actions, 'action_count'))
    reading.judge('taken', actions, 'action_count', 'How many there are.')
  const { items } = itemsOf(reading, numbered, MOST_PASSAGES)
  return items.map(({ item }) => {
    const text = pickText(reading, item, ['Selected Text'], 'Words', { limit: Infinity })
    const options = Array.isArray(item.Options) ? item.Options : []
    if (Object.hasOwn(item, 'Options')) reading.judge('taken', item, 'Options', 'Other attempts.')
    return { text, others: texts(options.map((option) => (isObject(option) ? option.text : option))) }
  })
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
}

/** The passages of a piece. Other attempts go with it when it is one narration. */
function passagesFrom({ text, others }: Piece, speakers: Speakers): CarriedAction[] {
  const spoken = spokenIn(plain(text), speakers).filter((one) => !isBlank(one.text))
  const [only] = spoken
  if (spoken.length !== 1 || only?.isPlayer !== false)
    return spoken.map((one) => passage(one.isPlayer ? one.type : 'ai', one.text))
  const attempts = others
    .map((other) => plain(other))
    .filter((other) => !isBlank(other) && other !== only.text)
    .map((other): Variant => ({ text: other, reasoning: null, created_at: null }))
  return [narration([...attempts, { text: only.text, reasoning: null, created_at: null }], attempts.length)]
}

type Spoken = { isPlayer: false; text: string } | { isPlayer: true; type: 'do' | 'story'; text: string }

function spokenIn(text: string, { mode, you, others }: Speakers): Spoken[] {
  if (text.includes('{{[')) return instructed(text)
  if (mode === 'adventure') return adventured(text)
  if (mode === 'chat' && you !== '') return chatted(text, you, others)
  return [{ isPlayer: false, text }]
}

const MARKER = /\{\{\[(INPUT|OUTPUT|SYSTEM)(_END)?\]\}\}/

function instructed(text: string): Spoken[] {
  const parts = text.split(MARKER)
  const spoken: Spoken[] = []
  // Between two texts stand the two groups of the marker.
  for (let at = 0; at < parts.length; at += 3) {
    const words = (parts[at] ?? '').trim()
    const speaker = at === 0 || parts[at - 1] === '_END' ? 'OUTPUT' : parts[at - 2]
    if (speaker === 'INPUT') spoken.push({ isPlayer: true, type: 'story', text: words })
    else if (speaker === 'OUTPUT') spoken.push({ isPlayer: false, text: words })
  }
  return spoken
}

// "> look" on a line of its own is what the player does.
function adventured(text: string): Spoken[] {
  return text.split(/(?:^|\n)(> ?[^\n]+)/).map((part, at): Spoken => {
    if (at % 2 === 0) return { isPlayer: false, text: part.trim() }
    const line = part.replace(/^> ?/, '')
    return { isPlayer: true, type: 'do', text: isBlank(line) ? '' : formatLine('do', line) }
  })
}

function chatted(text: string, you: string, others: readonly string[]): Spoken[] {
  const spoken: Spoken[] = []
  let isPlayer = false
  let words: string[] = []
  const end = () => {
    const said = words.join('\n').trim()
    spoken.push(isPlayer ? { isPlayer, type: 'story', text: said } : { isPlayer, text: said })
    words = []
  }
  for (const line of text.split('\n')) {
    const name = [you, ...others].find((one) => line.startsWith(`${one}:`))
    if (name !== undefined) {
      end()
      isPlayer = name === you
    }
    words.push(isPlayer && name !== undefined ? line.slice(name.length + 1).trimStart() : line)
  }
  end()
  return spoken
}

// Pictures stand in the text as tags.
function plain(text: string): string {
  return text
    .toWellFormed()
    .replace(/\[<\|[a-z]\|[^|<>]{0,200}\|[a-z]\|>\]/g, '')
    .trim()
}

function pickNote(reading: Reading, file: Keyed): string {
  const note = pickText(reading, file, ['authorsnote', 'authornote'], 'Author’s note')
  const template = pickText(reading, file, ['anotetemplate'], 'Author’s note, what stands around it')
  if (isBlank(note) || !template.includes('<|>')) return note
  return cutTo(
    template.replace('<|>', () => note),
    LIMITS.prose,
  )
}

function pickLore(reading: Reading, file: Keyed): { always: CardFields[]; cards: CardFields[] } {
  const { worldinfo, worldinfo_v2 } = file
  if (Array.isArray(worldinfo)) {
    reading.judge('taken', file, 'worldinfo', 'Story cards.')
    return loreFrom(reading, itemsOf(reading, worldinfo, MOST_CARDS), '{{char}}')
  }
  const entries = isObject(worldinfo_v2) ? ownValue(worldinfo_v2, 'entries') : undefined
  if (!isObject(worldinfo_v2) || !isObject(entries)) return { always: [], cards: [] }
  reading.open(worldinfo_v2)
  reading.judge('taken', worldinfo_v2, 'entries', 'Story cards.')
  return loreFrom(reading, itemsOf(reading, entries, MOST_CARDS), '{{char}}')
}

import { LIMITS, MAX_CARDS } from '../../domain/limits.ts'
import type { PortableAction } from '../../domain/portable/portable.ts'
import type { CardFields } from '../../domain/story-card.ts'
import { formatLine } from '../../domain/text/player-line.ts'
import type { Variant } from '../../domain/variant.ts'
import { isObject, textsOf } from '../../lib/objects.ts'
import { cutTo, isBlank } from '../../lib/text.ts'
import { type Format, planOf, rootFields } from '../format.ts'
import { MAX_ACTIONS } from '../import-limits.ts'
import { parseLorebook } from '../lore/lorebook.ts'
import { WRITERS } from '../lore/writers.ts'
import { makeAction, makeNarration } from '../shared/actions.ts'
import { emptyAdventure } from '../shared/empty-adventure.ts'
import { Fields, itemsIn } from '../shared/fields.ts'
import { importRefused } from '../shared/import-refused.ts'
import { asBranches, parseBranches } from './branches.ts'

/** A save of KoboldAI Lite or KoboldAI United. */
export const koboldSave: Format = {
  kind: 'kobold-lite',
  matches: (file) =>
    isObject(file) &&
    typeof file.prompt === 'string' &&
    (isObject(file.savedsettings) || typeof file.gamestarted === 'boolean' || hasActions(file)),
  parse: (source, title) => {
    const file = rootFields(source)
    file.came('File format', 'gamestarted')
    const speakers = parseSpeakers(file)
    file.left('Texts that are looked up there: paste what matters into story cards', 'documentdb_data')
    const prompt = { text: file.text(['prompt'], 'Opening', { limit: Infinity }), alternatives: [] }
    const played = storyFrom([prompt, ...parseChunks(file)], speakers)
    const adventure = {
      ...emptyAdventure(title),
      memory: file.text(['memory'], 'Plot essentials'),
      authors_note: parseAuthorsNote(file),
      story_cards: parseLore(file).map((card) => ({ ...card, source_ref: null })),
    }
    const others = parseBranches(file).map((texts) =>
      storyFrom(
        texts.map((text) => ({ text, alternatives: [] })),
        speakers,
      ),
    )
    return planOf('kobold-lite', file, { adventures: asBranches(adventure, [played, ...others]) })
  },
}

/** The actions of a story: its first text is the opening. Throws import_refused. */
function storyFrom(chunks: readonly Chunk[], speakers: Speakers): PortableAction[] {
  const first = plainText(chunks[0]?.text ?? '')
  // A story of instructions begins with what the player has asked.
  const isInstruction = withMarkers(first, speakers).includes(MARKER_START)
  const actions = (isInstruction ? chunks : chunks.slice(1)).flatMap((chunk) => actionsFrom(chunk, speakers))
  if (actions.length > MAX_ACTIONS) throw importRefused(`This save has more than ${MAX_ACTIONS} passages.`)
  return [makeAction('start', isInstruction ? '' : first), ...actions]
}

// Lite lists texts, United numbers objects.
function hasActions({ actions }: Record<string, unknown>): boolean {
  if (isObject(actions)) return isObject(actions.actions)
  return Array.isArray(actions) && actions.every((one) => typeof one === 'string')
}

/** The marks of speakers in the text of a save. */
interface Speakers {
  mode: 'story' | 'adventure' | 'chat' | 'instruct'
  player: string
  others: string[]
  /** The tags before instructions and replies, if a player has set other ones than the markers. */
  tags: [tag: string, marker: string][]
}

const MODES = ['story', 'adventure', 'chat', 'instruct'] as const

const TAGS = [
  ['instruct_systag', '{{[SYSTEM]}}'],
  ['instruct_starttag', '{{[INPUT]}}'],
  ['instruct_endtag', '{{[OUTPUT]}}'],
] as const

// No other setting of a save is read: not its addresses, keys or sampling.
function parseSpeakers(file: Fields): Speakers {
  const settings = file.child('savedsettings')
  if (settings === null) return { mode: 'story', player: '', others: [], tags: [] }
  const label = 'Who speaks'
  const mode = MODES[(settings.count(['opmode'], label) ?? 1) - 1] ?? 'story'
  const player = settings.text(['chatname'], label, { limit: LIMITS.name })
  const others = settings.text(['chatopponent'], label, { limit: LIMITS.prose })
  const tags = TAGS.map(([key, marker]): [string, string] => [
    settings.text([key], label, { limit: LIMITS.name }).trim(),
    marker,
  ]).filter(([tag]) => tag !== '' && !tag.startsWith(MARKER_START))
  return { mode, player, others: others.split('||$||').filter((name) => !isBlank(name)), tags }
}

/** A text as the save stores it, and the alternatives that were generated in its place. */
interface Chunk {
  text: string
  alternatives: string[]
}

function parseChunks(file: Fields): Chunk[] {
  const { actions } = file.source
  if (Array.isArray(actions)) return parseLite(file, actions)
  if (!isObject(actions) || !isObject(actions.actions)) return []
  return parseUnited(new Fields(file.receipt, actions), actions.actions)
}

function parseLite(file: Fields, actions: readonly unknown[]): Chunk[] {
  file.came('Passages', 'actions')
  return actions.flatMap((text, at) => {
    if (typeof text === 'string') return [{ text: text.toWellFormed(), alternatives: [] }]
    file.receipt.note('left', 'Not text', actions as unknown[], at)
    return []
  })
}

// KoboldAI United numbers its actions and stores unused options with each.
function parseUnited(united: Fields, numbered: Record<string, unknown>): Chunk[] {
  united.came('Number of passages', 'action_count')
  return itemsIn(united.receipt, numbered, MAX_ACTIONS).map(({ fields }) => {
    const text = fields.text(['Selected Text'], 'Text', { limit: Infinity })
    const options = Array.isArray(fields.source.Options) ? fields.source.Options : []
    fields.came('Other versions', 'Options')
    return { text, alternatives: textsOf(options.map((option) => (isObject(option) ? option.text : option))) }
  })
}

/** The actions in a text. Alternatives are kept when it is a single narration. */
function actionsFrom({ text, alternatives }: Chunk, speakers: Speakers): PortableAction[] {
  const lines = linesIn(withMarkers(plainText(text), speakers), speakers).filter(
    (line) => !isBlank(line.text),
  )
  const [first] = lines
  if (lines.length !== 1 || first?.isPlayer !== false)
    return lines.map((line) => (line.isPlayer ? makeAction(line.type, line.text) : narrationOf(line.text)))
  const others = alternatives
    .map((alternative) => plainText(alternative))
    .filter((alternative) => !isBlank(alternative) && alternative !== first.text)
  if (others.length === 0) return [narrationOf(first.text)]
  const variants = [...others, first.text].map((one): Variant => ({ ...thoughtIn(one), created_at: null }))
  return [makeNarration(variants, others.length)]
}

function narrationOf(written: string): PortableAction {
  const { text, reasoning } = thoughtIn(written)
  return makeAction('ai', text, { reasoning })
}

/** A reply without what its model has thought before. One that is nothing else stays whole. */
function thoughtIn(written: string): { text: string; reasoning: string | null } {
  const [, thought = '', text = ''] = /^<think>([\s\S]*?)<\/think>\s*([\s\S]*)$/.exec(written) ?? []
  return text === '' ? { text: written, reasoning: null } : { text, reasoning: thought.trim() || null }
}

function withMarkers(text: string, { mode, tags }: Speakers): string {
  if (mode !== 'instruct') return text
  return tags.reduce((marked, [tag, marker]) => marked.replaceAll(tag, marker), text)
}

type SpokenLine = { isPlayer: false; text: string } | { isPlayer: true; type: 'do' | 'story'; text: string }

function linesIn(text: string, { mode, player, others }: Speakers): SpokenLine[] {
  if (text.includes(MARKER_START)) return instructLines(text)
  if (mode === 'adventure') return adventureLines(text)
  if (mode === 'chat' && player !== '') return chatLines(text, player, others)
  return [{ isPlayer: false, text }]
}

/** The beginning of Kobold's markers. */
const MARKER_START = '{{['
const MARKER = /\{\{\[(INPUT|OUTPUT|SYSTEM)(_END)?\]\}\}/

function instructLines(text: string): SpokenLine[] {
  const parts = text.split(MARKER)
  const lines: SpokenLine[] = []
  // The split leaves both groups of the marker between two texts.
  for (let at = 0; at < parts.length; at += 3) {
    const words = (parts[at] ?? '').trim()
    const speaker = at === 0 || parts[at - 1] === '_END' ? 'OUTPUT' : parts[at - 2]
    if (speaker === 'INPUT') lines.push({ isPlayer: true, type: 'story', text: words })
    else if (speaker === 'OUTPUT') lines.push({ isPlayer: false, text: words })
  }
  return lines
}

/** "> look" on a line of its own is what the player does. */
function adventureLines(text: string): SpokenLine[] {
  return text.split(/(?:^|\n)(> ?[^\n]+)/).map((part, at): SpokenLine => {
    if (at % 2 === 0) return { isPlayer: false, text: part.trim() }
    const line = part.replace(/^> ?/, '')
    return { isPlayer: true, type: 'do', text: isBlank(line) ? '' : formatLine('do', line) }
  })
}

function chatLines(text: string, player: string, others: readonly string[]): SpokenLine[] {
  const lines: SpokenLine[] = []
  let isPlayer = false
  let words: string[] = []
  const finishLine = () => {
    const spoken = words.join('\n').trim()
    lines.push(isPlayer ? { isPlayer, type: 'story', text: spoken } : { isPlayer, text: spoken })
    words = []
  }
  for (const line of text.split('\n')) {
    const name = [player, ...others].find((one) => line.startsWith(`${one}:`))
    if (name !== undefined) {
      finishLine()
      isPlayer = name === player
    }
    words.push(isPlayer && name !== undefined ? line.slice(name.length + 1).trimStart() : line)
  }
  finishLine()
  return lines
}

/** The text without the tags that stand for pictures. */
function plainText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\[<\|[a-z]\|[^|<>]*\|[a-z]\|>\]/g, '')
    .trim()
}

function parseAuthorsNote(file: Fields): string {
  const note = file.text(['authorsnote', 'authornote'], 'Author’s note')
  const template = file.text(['anotetemplate'], 'Author’s note template')
  if (isBlank(note) || !template.includes('<|>')) return note
  return cutTo(
    template.replace('<|>', () => note),
    LIMITS.prose,
  )
}

function parseLore(file: Fields): CardFields[] {
  const book = { writer: WRITERS.kobold, char: '{{char}}', fields: null }
  const { worldinfo } = file.source
  if (Array.isArray(worldinfo)) {
    file.came('Story cards', 'worldinfo')
    return parseLorebook(itemsIn(file.receipt, worldinfo, MAX_CARDS), book)
  }
  const { worldinfo_v2 } = file.source
  if (!isObject(worldinfo_v2) || !isObject(worldinfo_v2.entries)) return []
  file.child('worldinfo_v2')?.came('Story cards', 'entries')
  return parseLorebook(itemsIn(file.receipt, worldinfo_v2.entries, MAX_CARDS), book)
}

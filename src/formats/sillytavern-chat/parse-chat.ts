import type { PlayerLineType } from '../../domain/action.ts'
import { UNTITLED_ADVENTURE } from '../../domain/adventure.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { ImportPlan, PortableAction } from '../../domain/portable/portable.ts'
import { READER_QUESTION } from '../../domain/text/placeholder.ts'
import type { Variant } from '../../domain/variant.ts'
import { isObject } from '../../lib/objects.ts'
import { cutTo, isBlank } from '../../lib/text.ts'
import { planOf } from '../format.ts'
import { MAX_ACTIONS } from '../import-limits.ts'
import { makeAction, makeNarration, withOpening } from '../shared/actions.ts'
import { emptyAdventure } from '../shared/empty-adventure.ts'
import { Fields, strings } from '../shared/fields.ts'
import { importRefused } from '../shared/import-refused.ts'
import { parseJsonFile } from '../shared/json-file.ts'
import { withNames } from '../shared/macros.ts'
import { ReceiptBuilder } from '../shared/receipt.ts'
import { LINE_TYPE } from './make-chat.ts'
import { isProgramNote, type Speakers, speakerOf, speakersIn } from './speakers.ts'

const HEADER_KEYS = ['chat_metadata', 'user_name', 'character_name']

/** Recognizes a SillyTavern chat: one JSON object a line, the first a header or a message. */
export function isChat(text: string): boolean {
  const first = text.slice(0, text.search(/\n|$/))
  const value = parseJsonFile(first)
  return isObject(value) && ('mes' in value || HEADER_KEYS.some((key) => key in value))
}

/** Parses a SillyTavern chat. The receipt lists each line as an item of `lines`. Throws import_refused. */
export function parseChat(text: string, title: string): ImportPlan {
  const lines = text.split('\n').filter((line) => !isBlank(line))
  if (lines.length > MAX_ACTIONS) throw importRefused(`This chat has more than ${MAX_ACTIONS} messages.`)
  const receipt = new ReceiptBuilder()
  const values = lines.map((line) => parseJsonFile(line) ?? line)
  const file = new Fields(receipt, { lines: values })
  file.came('Passages, one per line', 'lines')
  receipt.expand(values)
  const [first] = values
  const header = isObject(first) && !('mes' in first) ? first : {}
  const speakers = speakersIn(values)
  const names = withSpeakers(parseHeader(new Fields(receipt, header)), speakers)
  const actions: PortableAction[] = []
  for (const [at, value] of values.entries()) {
    if (value === header) continue
    if (isObject(value)) {
      const drop = (why: string) => receipt.note('left', why, values, at)
      const message = { fields: new Fields(receipt, value), drop, isFirst: actions.length === 0 }
      actions.push(...parseMessage(message, names))
    } else receipt.note('left', 'A broken line', values, at)
  }
  if (actions.length === 0) throw importRefused('This chat has no message with text.')
  const adventure = {
    ...emptyAdventure([names.title, names.char, title].find((one) => !isBlank(one)) ?? UNTITLED_ADVENTURE),
    placeholders: isBlank(names.user) ? {} : { [READER_QUESTION]: names.user },
    authors_note: names.note,
    actions: withOpening(actions),
  }
  return planOf('sillytavern-chat', file, { adventures: [adventure] })
}

interface Header {
  title: string
  user: string
  char: string
  note: string
}

interface Names extends Header, Speakers {}

function parseHeader(header: Fields): Header {
  const short = { limit: LIMITS.name, loose: true }
  const user = header.text(['user_name'], 'Your name, where a text refers to you', short)
  const char = header.text(['character_name'], 'Title', short)
  const more = header.child('chat_metadata')
  const note = more?.text(['note_prompt'], 'Author’s note') ?? ''
  const title = more?.text(['title'], 'Title', short) ?? ''
  return { title, user: nameOf(user), char: nameOf(char), note }
}

/** The header, whose missing names are those of the one who speaks. */
function withSpeakers(header: Header, speakers: Speakers): Names {
  const sole = (names: ReadonlySet<string>) => (names.size === 1 ? ([...names][0] ?? '') : '')
  const { user, char } = header
  return {
    ...header,
    user: user || cutTo(sole(speakers.readers), LIMITS.name),
    char: char || cutTo(sole(speakers.characters), LIMITS.name),
    ...speakers,
  }
}

// A group chat of SillyTavern says "unused" for both names.
function nameOf(name: string): string {
  return name === 'unused' ? '' : name
}

interface Message {
  fields: Fields
  drop: (why: string) => void
  isFirst: boolean
}

function parseMessage({ fields, drop, isFirst }: Message, names: Names): PortableAction[] {
  const { swipes } = fields.source
  if (isProgramNote(fields.source)) {
    drop('A note of the program or of the player, not part of the story')
    return []
  }
  const isUser = fields.flag(['is_user'], 'Who speaks')
  const hidden = fields.flag(['is_system'], 'Hidden from the narrator')
  const speaker = parseSpeaker(fields, names)
  const own = { ...names, ...speaker }
  const text = parseText(fields, own)
  const created_at = fields.time(['send_date'], 'Time')
  const reasoning = parseReasoning(fields)
  const ownLine = isUser ? parseLineType(fields) : null
  const { variants, live } = parseSwipes(fields, { text, reasoning, created_at }, own)
  if (variants.every((variant) => isBlank(variant.text))) {
    drop('Empty message')
    return []
  }
  if (!isUser && !isFirst) return [makeNarration(variants, live, { created_at, ...(hidden && { hidden }) })]
  if (Array.isArray(swipes) && variants.length > 1)
    fields.changed('Versions of an opening or of your own line: only the current one', 'swipes')
  const liveText = variants[live]?.text ?? text
  const more = { created_at, ...(hidden && { hidden }) }
  if (!isUser) return [makeAction('start', liveText, more)]
  if (ownLine !== null) return [makeAction(ownLine, `> ${liveText}`, more)]
  return [makeAction(lineType(liveText), liveText, more)]
}

/** The text of a message with its speaker and the names filled in. */
interface Telling {
  user: string
  char: string
  /** In front of the words, '' where only one speaks. */
  prefix: string
}

function parseSpeaker(message: Fields, { user, char, readers, characters }: Names): Telling {
  const name = speakerOf(message.source)
  const isUser = message.source.is_user === true
  if (name === '' || (isUser ? readers : characters).size < 2) {
    message.came('Speaker', 'name')
    return { user, char, prefix: '' }
  }
  message.changed('Speaker, in front of the words', 'name')
  return { user: isUser ? name : user, char: isUser ? char : name, prefix: `${name}: ` }
}

// One exporter nests the text.
function parseText(message: Fields, names: Telling): string {
  const nested = message.child('mes')
  const [holder, key] = nested ? [nested, 'message'] : [message, 'mes']
  const text = holder.text([key], 'Text', { limit: Infinity, loose: nested === null })
  const filled = tell(text, names)
  if (filled !== text) holder.changed('Text, with names filled in', key)
  return filled
}

function tell(text: string, { user, char, prefix }: Telling): string {
  const named = withNames(text, char || '{{char}}', user || 'you')
  return isBlank(named) || named.startsWith(prefix) ? named : prefix + named
}

function parseReasoning(message: Fields): string | null {
  const extra = message.child('extra')
  return extra?.text(['reasoning'], 'Reasoning', { limit: Infinity }) || null
}

/** The variants of a message. The live one is the message itself, which may have been edited. */
function parseSwipes(message: Fields, live: Variant, names: Telling): { variants: Variant[]; live: number } {
  const swipes = message.value(['swipes'], 'Versions', (value) =>
    Array.isArray(value) ? value.map((swipe) => (isObject(swipe) ? swipe.message : swipe)) : undefined,
  )
  const swipeId = message.value(['swipe_id'], 'Current version', (value) =>
    Number.isSafeInteger(value) ? (value as number) : undefined,
  )
  if (!swipes || swipes.length === 0) return { variants: [live], live: 0 }
  const livePosition = Math.min(Math.max(0, swipeId ?? 0), swipes.length - 1)
  const infos = parseSwipeInfo(message)
  const variants = swipes.flatMap((swipe, position) => {
    if (position === livePosition && !isBlank(live.text)) {
      const created_at = infos[position]?.created_at ?? live.created_at
      return [{ variant: { ...live, created_at }, position }]
    }
    const text = tell(strings([swipe])[0] ?? '', names)
    if (isBlank(text)) return []
    const { reasoning = null, created_at = null } = infos[position] ?? {}
    return [{ variant: { text, reasoning, created_at }, position }]
  })
  if (variants.length < swipes.length) message.changed('Versions, without empty ones', 'swipes')
  const liveIndex = variants.findIndex(({ position }) => position === livePosition)
  return { variants: variants.map(({ variant }) => variant), live: Math.max(0, liveIndex) }
}

function parseSwipeInfo(message: Fields): (Pick<Variant, 'reasoning' | 'created_at'> | undefined)[] {
  const { swipe_info } = message.source
  if (!Array.isArray(swipe_info)) return []
  message.came('Details of the versions', 'swipe_info')
  message.receipt.expand(swipe_info)
  return swipe_info.map((value) => {
    if (!isObject(value)) return undefined
    const info = new Fields(message.receipt, value)
    const created_at = info.time(['send_date'], 'Time')
    return { created_at, reasoning: parseReasoning(info) }
  })
}

/** The type of a line whose mark our own export has left out; null for any other line. */
function parseLineType(message: Fields): Exclude<PlayerLineType, 'story'> | null {
  const extra = message.child('extra')
  const isType = (value: unknown) => (value === 'do' || value === 'say' ? value : undefined)
  return extra?.value([LINE_TYPE], 'Type of the line', isType) ?? null
}

function lineType(text: string): PlayerLineType {
  if (/^> (?:You say )?"/.test(text)) return 'say'
  return text.startsWith('> You ') ? 'do' : 'story'
}

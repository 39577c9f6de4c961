import type { Message } from '../domain/model/model-request.ts'
import { BEGIN_REQUEST, CONTINUE_REQUEST, LORE } from '../domain/prompt/phrases.ts'
import { isPerson, thingsIn, tokensOf } from './nouns.ts'
import { SETTING_WORDS, type Setting } from './phrases/word-lists.ts'
import { type PlayerTurn, readTurn } from './player-turn.ts'

/** What the practice narrator knows about a story, all from one prompt. */
export interface Scene {
  turn: PlayerTurn
  /** A sentence from a triggered story card that was not used yet. */
  lore: string | null
  /** Things from earlier turns, most important first. */
  things: string[]
  /** Who can reply, by name or as "the keeper". */
  listener: string | null
  setting: Setting | null
  /** The narrator's replies so far, newest last. */
  replies: string[]
}

/** Characters of replies that are searched for repetitions, and of one message that is searched for things. */
const MAX_REPLIES = 60_000
const MAX_READ = 4_000
/** Messages that are searched for things, and for a listener. */
const RECENT_MESSAGES = 40
const LISTENER_MESSAGES = 4

export function readScene(messages: readonly Message[]): Scene {
  const last = messages.at(-1)
  const now = last?.role === 'user' ? splitMessage(last.text) : { line: '', lore: [] }
  const before = last?.role === 'user' ? messages.slice(0, -1) : messages
  const turn = readLine(now.line, before)
  const replies = recentReplies(before)
  return {
    turn,
    lore: newLore(now.lore, before, replies),
    things: thingsBefore(before, turn),
    listener: listenerIn(turn, before),
    setting: settingOf(before),
    replies,
  }
}

function readLine(line: string, before: readonly Message[]): PlayerTurn {
  if (line === BEGIN_REQUEST) return { kind: 'opening' }
  if (line === '' || line === CONTINUE_REQUEST)
    return before.some(({ role }) => role === 'assistant') ? { kind: 'silence' } : { kind: 'opening' }
  return readTurn(line)
}

/** The player's last line in a message, and the lore with it. Bracketed notes are left out. */
function splitMessage(text: string): { line: string; lore: string[] } {
  const lines = text.split('\n').map((line) => line.trim())
  const lore = lines.filter((line) => line.startsWith(LORE)).map((line) => line.slice(LORE.length))
  const kept = withoutNotes(lines).filter((line) => !line.startsWith(LORE))
  const start = kept.findLastIndex((line) => line.startsWith('> You '))
  return { line: start === -1 ? lastBlock(kept) : kept.slice(start).join('\n').trim(), lore }
}

function withoutNotes(lines: readonly string[]): string[] {
  const lastClose = lines.findLastIndex((line) => line.endsWith(']'))
  const kept: string[] = []
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? ''
    if (!line.startsWith('[') || i > lastClose) kept.push(line)
    else while (i < lastClose && !(lines[i] ?? '').endsWith(']')) i++
  }
  return kept
}

function lastBlock(lines: readonly string[]): string {
  const end = lines.findLastIndex((line) => line !== '')
  const gap = lines.slice(0, end + 1).lastIndexOf('')
  return lines.slice(gap + 1, end + 1).join('\n')
}

function recentReplies(before: readonly Message[]): string[] {
  const replies: string[] = []
  let room = MAX_REPLIES
  for (const { role, text } of [...before].reverse()) {
    if (role !== 'assistant' || room <= 0) continue
    replies.push(text.slice(-room))
    room -= text.length
  }
  return replies.reverse()
}

function newLore(
  now: readonly string[],
  before: readonly Message[],
  replies: readonly string[],
): string | null {
  const known = new Set(before.flatMap(({ text }) => loreLines(text)))
  const standing = before.filter(({ role }) => role === 'system').flatMap(({ text }) => loreLines(text))
  const earlier = replies.join('\n').toLowerCase()
  const sentences = [...now.filter((lore) => !known.has(lore)), ...standing].map(loreSentence)
  return sentences.find((sentence) => sentence !== null && !earlier.includes(sentence.toLowerCase())) ?? null
}

function loreLines(text: string): string[] {
  if (!text.includes(LORE)) return []
  return text.split('\n').flatMap((line) => (line.startsWith(LORE) ? [line.slice(LORE.length).trim()] : []))
}

const MAX_LORE_WORDS = 26
const MAX_LORE = 170

/** The first sentence of a card, as plain text of limited length. */
function loreSentence(entry: string): string | null {
  const plain = entry
    .slice(0, 2_000)
    .replace(/<[^<>]*>/g, ' ')
    .replace(/[<>*_`#~|{}[\]\\^$=]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  if (!/\p{L}/u.test(plain)) return null
  const sentence =
    /^.*?(?<!\b(?:Mr|Mrs|Ms|Dr|St|No))[.!?…。！？](?=["”']?(?:\s|$))["”']?/u.exec(plain)?.[0] ?? plain
  const cut = cutToWords(sentence)
  return /[.!?…]["”']?$/u.test(cut) ? cut : `${cut.replace(/(?<![\s,;:–—-])[\s,;:–—-]+$/u, '')}.`
}

function cutToWords(sentence: string): string {
  const words = sentence.split(' ')
  const short = [...words.slice(0, MAX_LORE_WORDS).join(' ')].slice(0, MAX_LORE).join('')
  if (short === sentence) return sentence
  const clause = /^(.*[^,;:])[,;:]\s/u.exec(short)?.[1]
  if (clause !== undefined && clause.split(' ').length >= 9) return `${clause}.`
  const whole = short.replace(/\s\S*$/u, '').replace(/(?<![\s,;:–—-])[\s,;:–—-]+$/u, '')
  return `${whole}…`
}

/** Things from earlier turns: first those that the player mentioned, then those of the opening. */
function thingsBefore(before: readonly Message[], turn: PlayerTurn): string[] {
  const now = 'thing' in turn ? turn.thing : null
  const story = before.filter(({ role }) => role !== 'system')
  const opening = story.find(({ role }) => role === 'assistant')
  const recent = story.slice(-RECENT_MESSAGES)
  const own = recent.filter(({ role }) => role === 'user').flatMap(({ text }) => ownThing(text))
  const narrated = [opening, ...recent.filter(({ role }) => role === 'assistant')].flatMap((message) =>
    message === undefined ? [] : thingsIn(message.text, MAX_READ),
  )
  return [...new Set([...own, ...narrated])].filter((thing) => thing.toLowerCase() !== now?.toLowerCase())
}

function ownThing(text: string): string[] {
  const { line } = splitMessage(text)
  if (line === CONTINUE_REQUEST || line === BEGIN_REQUEST) return []
  const turn = readTurn(line)
  return 'thing' in turn && turn.thing !== null && turn.thing.startsWith('the ') ? [turn.thing] : []
}

function listenerIn(turn: PlayerTurn, before: readonly Message[]): string | null {
  if (turn.kind === 'action' && turn.partner !== null) return turn.partner
  const near = before.filter(({ role }) => role !== 'system').slice(-LISTENER_MESSAGES)
  for (const { role, text } of near.reverse()) {
    const found = role === 'user' ? partnerOf(text) : personIn(text)
    if (found !== null) return found
  }
  return null
}

function partnerOf(text: string): string | null {
  const turn = readTurn(splitMessage(text).line)
  return turn.kind === 'action' && turn.manner === 'talk' ? turn.partner : null
}

const SPEAKS = /\b(?:says|asks|nods|smiles|answers|whispers|replies|laughs|shrugs|murmurs|tells)\b/

function personIn(text: string): string | null {
  const read = text.slice(0, MAX_READ)
  const named =
    /(?<!\p{L})(\p{Lu}\p{Ll}{1,14}) (?:says|asks|nods|smiles|answers|whispers|replies|laughs|shrugs|murmurs|tells)\b/u.exec(
      read,
    )
  const after = /\b(?:says|asks|answers|whispers|replies|murmurs) (\p{Lu}\p{Ll}{1,14})\b/u.exec(read)
  const name = after?.[1] ?? named?.[1]
  if (
    name !== undefined &&
    !/^(?:He|She|They|It|You|The|And|But|Who|What|Nobody|Someone|No|One|Then|This|That)$/.test(name)
  )
    return name
  return SPEAKS.test(read) ? (thingsIn(read, MAX_READ).find(isPerson) ?? null) : null
}

function settingOf(before: readonly Message[]): Setting | null {
  const story = before.filter(({ role }) => role !== 'system')
  const read = [before[0], story[0], story[1], ...story.slice(-6)].flatMap((message) =>
    message === undefined ? [] : [message],
  )
  const words = [...new Set(read)]
    .flatMap(({ text }) => tokensOf(text, MAX_READ))
    .map((word) => word.toLowerCase())
  let best: Setting | null = null
  let most = 1
  for (const [setting, known] of Object.entries(SETTING_WORDS)) {
    const count = words.filter((word) => known.has(word)).length
    if (count > most) {
      best = setting as Setting
      most = count
    }
  }
  return best
}

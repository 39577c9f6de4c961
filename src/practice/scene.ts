import { GO_ON, LORE, OPENER } from '../domain/prompt/phrases.ts'
import type { Message } from '../domain/model/model-request.ts'
import { isPerson, thingsIn, tokensOf } from './nouns.ts'
import { type PlayerTurn, readTurn } from './player-turn.ts'
import { SETTING_WORDS, type Setting } from './phrases/word-lists.ts'

/** What the practice narrator knows of a story, all of it from one prompt. */
export interface Scene {
  turn: PlayerTurn
  /** A sentence of a story card that has been called up and not been told yet. */
  lore: string | null
  /** What earlier turns have named, the strongest first. */
  things: string[]
  /** Who can answer, by name or as "the keeper". */
  listener: string | null
  setting: Setting | null
  /** The narrator's own words so far, newest last. */
  replies: string[]
}

/** How much of the narrator's words is searched for repetitions, and how much of one message for things. */
const TOLD = 60_000
const READ = 4_000
const REMEMBERED = 40
const NEAR = 4

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
  if (line === OPENER) return { kind: 'opening' }
  if (line === '' || line === GO_ON)
    return before.some(({ role }) => role === 'assistant') ? { kind: 'silence' } : { kind: 'opening' }
  return readTurn(line)
}

/** The player's own last line of a message, and the lore beside it. Bracketed notes are for the narrator's eyes. */
export function splitMessage(text: string): { line: string; lore: string[] } {
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
  let room = TOLD
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
  const told = replies.join('\n').toLowerCase()
  const sentences = [...now.filter((lore) => !known.has(lore)), ...standing].map(loreSentence)
  return sentences.find((sentence) => sentence !== null && !told.includes(sentence.toLowerCase())) ?? null
}

function loreLines(text: string): string[] {
  if (!text.includes(LORE)) return []
  return text.split('\n').flatMap((line) => (line.startsWith(LORE) ? [line.slice(LORE.length).trim()] : []))
}

const LONGEST_LORE_WORDS = 26
const LONGEST_LORE = 170

/** A card in one sentence of ours: plain words, bounded, with an end. */
export function loreSentence(entry: string): string | null {
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
  const short = [...words.slice(0, LONGEST_LORE_WORDS).join(' ')].slice(0, LONGEST_LORE).join('')
  if (short === sentence) return sentence
  const clause = /^(.*[^,;:])[,;:]\s/u.exec(short)?.[1]
  if (clause !== undefined && clause.split(' ').length >= 9) return `${clause}.`
  const whole = short.replace(/\s\S*$/u, '').replace(/(?<![\s,;:–—-])[\s,;:–—-]+$/u, '')
  return `${whole}…`
}

/** Things of earlier turns: the player's own and those of the opening first. */
function thingsBefore(before: readonly Message[], turn: PlayerTurn): string[] {
  const now = 'thing' in turn ? turn.thing : null
  const story = before.filter(({ role }) => role !== 'system')
  const opening = story.find(({ role }) => role === 'assistant')
  const recent = story.slice(-REMEMBERED)
  const own = recent.filter(({ role }) => role === 'user').flatMap(({ text }) => ownThing(text))
  const told = [opening, ...recent.filter(({ role }) => role === 'assistant')].flatMap((message) =>
    message === undefined ? [] : thingsIn(message.text, READ),
  )
  return [...new Set([...own, ...told])].filter((thing) => thing.toLowerCase() !== now?.toLowerCase())
}

function ownThing(text: string): string[] {
  const { line } = splitMessage(text)
  if (line === GO_ON || line === OPENER) return []
  const turn = readTurn(line)
  return 'thing' in turn && turn.thing !== null && turn.thing.startsWith('the ') ? [turn.thing] : []
}

function listenerIn(turn: PlayerTurn, before: readonly Message[]): string | null {
  if (turn.kind === 'deed' && turn.partner !== null) return turn.partner
  const near = before.filter(({ role }) => role !== 'system').slice(-NEAR)
  for (const { role, text } of near.reverse()) {
    const found = role === 'user' ? partnerOf(text) : personIn(text)
    if (found !== null) return found
  }
  return null
}

function partnerOf(text: string): string | null {
  const turn = readTurn(splitMessage(text).line)
  return turn.kind === 'deed' && turn.manner === 'talk' ? turn.partner : null
}

const SPEAKS = /\b(?:says|asks|nods|smiles|answers|whispers|replies|laughs|shrugs|murmurs|tells)\b/

function personIn(text: string): string | null {
  const read = text.slice(0, READ)
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
  return SPEAKS.test(read) ? (thingsIn(read, READ).find(isPerson) ?? null) : null
}

function settingOf(before: readonly Message[]): Setting | null {
  const story = before.filter(({ role }) => role !== 'system')
  const read = [before[0], story[0], story[1], ...story.slice(-6)].flatMap((message) =>
    message === undefined ? [] : [message],
  )
  const words = [...new Set(read)]
    .flatMap(({ text }) => tokensOf(text, READ))
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

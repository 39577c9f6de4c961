import { DICE_NOTE, OUTCOME } from '../domain/checks/roll-words.ts'
import type { Message } from '../domain/model/model-request.ts'
import { partIn, REWRITE_TASK } from '../domain/model/rewrite.ts'
import { MANNERS, SUGGESTION_TASK } from '../domain/model/suggestions.ts'
import { LORE } from '../domain/prompt/phrases.ts'
import { sentenceTexts } from '../domain/text/sentence-spans.ts'
import { foldQuote } from '../lib/fold-text.ts'
import { capitalized } from '../lib/text.ts'
import {
  AFTER_DEED,
  AFTER_QUESTION,
  AFTER_SPEECH,
  ENDINGS,
  LEADS,
  LORE_LEADS,
  MEANWHILE,
  OUTCOMES,
  SUGGESTIONS,
  type Template,
} from './paragraphs.ts'
import { type PlayerTurn, readTurn, type Slots, thingsIn } from './player-turn.ts'
import { recorderAnswer } from './recorder.ts'
import { type Draw, drawFrom, seedOf, shuffled } from './seeded-random.ts'

/** Replies without a repetition, and the characters of them that are read. */
const RECENT_REPLIES = 20
const MAX_READ = 60_000

/**
 * Stands in for a language model until the player has one, so that the first start already offers a story. Fills
 * paragraphs with the player's words and a triggered story card, without a repetition in twenty replies.
 * Deterministic for the same messages and seed. A request with a schema is answered from it.
 */
export function practiceReply(messages: readonly Message[], seed: number, schema?: unknown): string {
  const draw = drawFrom(seedOf(textsOf(messages), seed))
  const task = messages.at(-1)?.text ?? ''
  const recent = recentText(messages)
  if (task.includes(SUGGESTION_TASK)) return suggestions(messages.slice(0, -1), draw)
  if (task.includes(REWRITE_TASK)) return rewrittenPart(partIn(task), recent, draw)
  if (schema !== undefined) return JSON.stringify(recorderAnswer(schema))
  return passage(messages, recent, draw)
}

/** Splits a reply into words with their whitespace, like a model's stream. */
export function practiceChunks(reply: string): string[] {
  return reply.match(/\s*\S+|\s+$/g) ?? []
}

function* textsOf(messages: readonly Message[]): Generator<string> {
  for (const { role, text } of messages) {
    yield role
    yield text
  }
}

function recentText(messages: readonly Message[]): string {
  const replies = messages.filter(({ role }) => role === 'assistant').slice(-RECENT_REPLIES)
  return foldQuote(
    replies
      .map(({ text }) => text)
      .join('\n')
      .slice(-MAX_READ),
  )
}

function passage(messages: readonly Message[], recent: string, draw: Draw): string {
  const last = messages.at(-1)
  const message = last?.role === 'user' ? last.text : ''
  const turn = readTurn(
    message,
    messages.some(({ role }) => role === 'assistant'),
  )
  const fill = (templates: readonly Template[], slots: Slots = {}) =>
    filled(leastRecent(templates, recent), slots)
  const outcome = outcomeIn(message)
  const lore = loreFor(messages, recent, turn.kind === 'continue' && draw(2) === 0)
  const lead = fill(shuffled(LEADS[turn.kind], draw), turn.slots)
  const middle =
    outcome !== ''
      ? fill(shuffled(OUTCOMES, draw), { outcome })
      : lore !== ''
        ? fill(shuffled(LORE_LEADS, draw), { lore })
        : fill(bodiesFor(turn, draw))
  return `${lead} ${middle}\n\n${fill(shuffled(ENDINGS, draw))}`
}

const AFTER: Partial<Record<PlayerTurn['kind'], readonly Template[]>> = {
  deed: AFTER_DEED,
  speech: AFTER_SPEECH,
  question: AFTER_QUESTION,
}

/** Paragraphs for a turn in random order; in two of three turns, those of its kind come first. */
function bodiesFor({ kind }: PlayerTurn, draw: Draw): Template[] {
  const own = AFTER[kind] ?? []
  if (draw(3) === 0) return shuffled([...own, ...MEANWHILE], draw)
  return [...shuffled(own, draw), ...shuffled(MEANWHILE, draw)]
}

/** The template that was not used recently, or the longest ago. */
function leastRecent(templates: readonly Template[], recent: string): Template {
  const lastUse = new Map(templates.map((one) => [one, recent.lastIndexOf(longestFixedText(one))]))
  const [first = ''] = templates.toSorted((a, b) => (lastUse.get(a) ?? 0) - (lastUse.get(b) ?? 0))
  return first
}

/** Folded text that identifies a template, whatever is in its slots. */
function longestFixedText(template: Template): string {
  const parts = template.split(SLOT_MARK).map(foldQuote)
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '')
}

const SLOT = /\$([A-Za-z]+)/g
const SLOT_MARK = /\$[A-Za-z]+/

function filled(template: Template, slots: Slots): string {
  return template.replace(SLOT, (_, name: string) => {
    const value = slots[name.toLowerCase()] ?? ''
    return name === name.toLowerCase() ? value : capitalized(value)
  })
}

/** Outcome of the dice in the prompt; '' if nothing was rolled. */
function outcomeIn(message: string): string {
  const [, note = ''] = message.split(DICE_NOTE)
  const [, outcome = ''] = note.split(OUTCOME)
  return (outcome.split(/\. This is decided|\.?\]/, 1)[0] ?? '').trim()
}

/** First sentence of a triggered card, newest first; '' if all were used recently. */
function loreFor(messages: readonly Message[], recent: string, hasTime: boolean): string {
  const [last, ...earlier] = messages.filter(({ role }) => role === 'user').reverse()
  const unused = (some: readonly Message[]) =>
    some.flatMap((one) => loreIn(one).reverse()).find((sentence) => !recent.includes(foldQuote(sentence)))
  const now = last ? unused([last]) : undefined
  return now ?? (hasTime ? unused(earlier) : undefined) ?? ''
}

function loreIn({ text }: Message): string[] {
  if (!text.includes(LORE)) return []
  const entries = text.split('\n').filter((line) => line.startsWith(LORE))
  return entries.map((line) => loreSentence(line.slice(LORE.length))).filter(Boolean)
}

const MAX_LORE = 170

/** First sentence of a card as plain text, shortened at a comma or a word. */
function loreSentence(entry: string): string {
  const bare = entry.slice(0, 2_000).replace(/<[^<>]*>/g, ' ')
  const plain = bare.replace(/[<>*_`#~|{}[\]\\^$=]+/g, '').replace(/\s+/g, ' ')
  const [sentence = ''] = sentenceTexts(plain)
  if (!/\p{L}/u.test(sentence)) return ''
  if (sentence.length <= MAX_LORE) return /[.!?…]["'”’]?$/u.test(sentence) ? sentence : `${sentence}.`
  const short = sentence.slice(0, MAX_LORE)
  const clause = /^(.{60,})[,;:] /u.exec(short)?.[1]
  return clause ? `${clause}.` : `${short.replace(/\s\S*$/u, '').toWellFormed()}…`
}

/** As many new sentences as the part has. */
function rewrittenPart(part: string, recent: string, draw: Draw): string {
  const openings = [...MEANWHILE, ...ENDINGS].map((paragraph) => sentenceTexts(paragraph)[0] ?? '')
  const unused = shuffled(openings, draw).filter((sentence) => !recent.includes(foldQuote(sentence)))
  return unused.slice(0, Math.max(1, sentenceTexts(part).length)).join(' ')
}

/** One suggestion of each manner as JSON, some about things named in the story. */
function suggestions(messages: readonly Message[], draw: Draw): string {
  const opening = messages.find(({ role }) => role === 'assistant')
  const lines = messages.filter(({ role, text }) => role === 'user' && text.includes('> '))
  const things = shuffled(
    [opening, ...lines.slice(-3)].flatMap((one) => (one ? thingsIn(one.text) : [])),
    draw,
  )
  const made = MANNERS.map((manner, i) => {
    const thing = things[i]
    const usable = SUGGESTIONS[manner].filter((one) => thing !== undefined || !one.includes('$'))
    return [manner, filled(usable[draw(usable.length)] ?? '', { thing: thing ?? '' })]
  })
  return JSON.stringify(Object.fromEntries(made))
}

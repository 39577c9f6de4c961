import { bareObjectIn, grammaticalObject, isEnglish, isPerson, isWord, nameIn, tokensOf } from './nouns.ts'
import { DETERMINERS, DOUBLING, type Manner, NEEDS_MORE, PLANS, VERBS } from './phrases/word-lists.ts'

/** The player's turn, as far as the practice narrator understands it. */
export type PlayerTurn =
  | { kind: 'opening' }
  | { kind: 'silence' }
  /** `clause` fits after "you" and after "to"; null if the line cannot be turned into one. */
  | {
      kind: 'action'
      manner: Manner
      clause: string | null
      doing: string | null
      thing: string | null
      partner: string | null
    }
  | { kind: 'speech'; mood: Mood; words: string | null; thing: string | null }
  | { kind: 'tale'; thing: string | null }
  /** Nothing that the narrator can pick up. */
  | { kind: 'odd' }

type Mood = 'greeting' | 'farewell' | 'thanks' | 'question' | 'statement'

/** Only this much of a line is read. */
const MAX_READ = 400
const MAX_CLAUSE = 9
const MAX_QUOTE = 5

/** Reads a player's line in its stored form: "> You open the door.", "> You say "Hello."", or plain story text. */
export function readTurn(line: string): PlayerTurn {
  const said = /^> (?:You (?:say|[^"]{1,80},) )?"([\s\S]{0,400})/.exec(line)
  if (said?.[1] !== undefined) return readSpeech(said[1])
  if (line.startsWith('> You ')) return readAction(line.slice('> You '.length))
  return readTale(line)
}

function readSpeech(text: string): PlayerTurn {
  const tokens = tokensOf(text, MAX_READ)
  const words = tokens.filter(isWord)
  if (words.length === 0) return { kind: 'odd' }
  return { kind: 'speech', mood: moodOf(text, words), words: quoteOf(tokens), thing: thingIn(tokens) }
}

function moodOf(text: string, words: readonly string[]): Mood {
  const first = (words[0] ?? '').toLowerCase()
  const short = words.length <= 4
  if (/\?["”\s]*$/.test(text.slice(0, MAX_READ))) return 'question'
  if (short && /^(?:hello|hi|hey|greetings|hail|welcome|howdy)$/.test(first)) return 'greeting'
  if (short && first === 'good' && /^(?:morning|evening|day|afternoon)$/i.test(words[1] ?? ''))
    return 'greeting'
  if (short && /^(?:goodbye|bye|farewell)$/.test(first)) return 'farewell'
  if (/^(?:thanks|thank)$/.test(first)) return 'thanks'
  return 'statement'
}

// Quotes the player only if the quotation is short and consists of words.
function quoteOf(tokens: readonly string[]): string | null {
  const end = tokens.findIndex((token) => /^[.!?…"”]$/.test(token))
  const sentence = end === -1 ? tokens : tokens.slice(0, end)
  const words = sentence.filter((token) => token !== ',')
  if (words.length === 0 || words.length > MAX_QUOTE || !words.every(isWord)) return null
  const quote = sentence
    .join(' ')
    .replace(/ ,/g, ',')
    .replace(/^[, ]+|(?<![, ])[, ]+$/g, '')
  return quote.length > 40 ? null : quote
}

function readAction(text: string): PlayerTurn {
  const tokens = firstClause(tokensOf(text, MAX_READ))
  if (!tokens.some(isWord)) return { kind: 'odd' }
  const verb = verbOf(tokens)
  const named = nameIn(tokens)
  const object = grammaticalObject(tokens) ?? (verb === null ? null : bareObjectIn(tokens))
  if (verb === null && object === null) return { kind: 'odd' }
  const thing = object?.phrase ?? named
  const partner = object !== null && isPerson(object.phrase) ? object.phrase : named
  const clause = verb === null ? null : clauseOf(tokens, object)
  return {
    kind: 'action',
    manner: verb ?? 'any',
    clause,
    doing: clause === null ? null : gerundOf(clause),
    thing,
    partner,
  }
}

/** The words up to the first punctuation mark or "and then": of two actions, only the first is narrated. */
function firstClause(tokens: readonly string[]): string[] {
  const own = /^i$/i.test(tokens[0] ?? '') ? tokens.slice(1) : tokens
  const start = own.findIndex(isWord)
  if (start === -1) return []
  const rest = own.slice(start)
  const end = rest.findIndex((token, i) => i > 0 && endsClause(token, rest[i + 1]))
  const [first = '', ...others] = end === -1 ? rest : rest.slice(0, end)
  return [first.toLowerCase(), ...others]
}

function endsClause(token: string, next: string | undefined): boolean {
  if (/^[^\p{L}\p{M}\p{N}]$/u.test(token)) return true
  if (/^(?:then|but|while|because|so|until|before|after)$/i.test(token)) return true
  return /^and$/i.test(token) && (next === undefined || /^then$/i.test(next) || VERBS.has(next.toLowerCase()))
}

function verbOf(tokens: readonly string[]): Manner | null {
  const at = /ly$/.test(tokens[0] ?? '') && !VERBS.has(tokens[0] ?? '') ? 1 : 0
  const verb = (tokens[at] ?? '').toLowerCase()
  const planned =
    PLANS.has(verb) && tokens[at + 1] === 'to' ? VERBS.get((tokens[at + 2] ?? '').toLowerCase()) : undefined
  return planned ?? VERBS.get(verb) ?? null
}

/** The action in words that fit after "you"; null if they would not make a sentence. */
function clauseOf(
  tokens: readonly string[],
  object: { phrase: string; from: number; to: number } | null,
): string | null {
  const verb = (tokens[0] ?? '').toLowerCase()
  const whole = object === null ? [...tokens] : withArticle(tokens, object)
  const end = object === null ? 0 : object.from + object.phrase.split(' ').length
  const words =
    whole.length <= MAX_CLAUSE || NEEDS_MORE.has(verb)
      ? whole
      : whole.slice(0, end || circumstanceIndex(whole))
  if (words.length === 0 || words.length > MAX_CLAUSE || !words.every(isWordOrNumber)) return null
  const turned = words.map(toSecondPerson)
  const clause = turned.join(' ')
  return turned.includes('') || clause.length > 70 || isIncomplete(turned) ? null : clause
}

// "open door" becomes "open the door"; an article that the player gave stays.
function withArticle(
  tokens: readonly string[],
  { phrase, from, to }: { phrase: string; from: number; to: number },
): string[] {
  if (DETERMINERS.has((tokens[from] ?? '').toLowerCase())) return [...tokens]
  return [...tokens.slice(0, from), ...phrase.split(' '), ...tokens.slice(to)]
}

// A long action without an object is cut before its circumstances: "walk quickly", not through what.
function circumstanceIndex(words: readonly string[]): number {
  const circumstance =
    /^(?:through|to|towards?|for|with|about|in|into|on|from|along|across|over|under|by|around|like|as)$/i
  return Math.max(
    0,
    words.findIndex((word) => circumstance.test(word)),
  )
}

function isWordOrNumber(token: string): boolean {
  return isWord(token) || /^\d{1,4}$/.test(token)
}

function toSecondPerson(word: string): string {
  const lower = word.toLowerCase()
  if (lower === 'my') return 'your'
  if (lower === 'me') return 'you'
  if (lower === 'myself') return 'yourself'
  return lower === 'i' || lower.startsWith("i'") ? '' : word
}

// "look at" and "give the" are incomplete.
function isIncomplete(words: readonly string[]): boolean {
  const last = (words.at(-1) ?? '').toLowerCase()
  if (DETERMINERS.has(last) && !['her', 'this', 'that'].includes(last)) return true
  return /^(?:at|of|for|with|to|from|into|and|or|than|very|not|as)$/.test(last)
}

function readTale(text: string): PlayerTurn {
  const tokens = tokensOf(text, MAX_READ)
  if (/^(?:I|You)$/.test(tokens[0] ?? '') && VERBS.has(tokens[1] ?? ''))
    return readAction(text.replace(/^You /, ''))
  if (!tokens.some(isWord) || !isEnglish(tokens)) return { kind: 'odd' }
  return { kind: 'tale', thing: thingIn(tokens) }
}

function thingIn(tokens: readonly string[]): string | null {
  return grammaticalObject(tokens)?.phrase ?? (isEnglish(tokens) ? nameIn(tokens) : null)
}

/** "open the rusty door" becomes "opening the rusty door"; an adverb in front stays there. */
export function gerundOf(clause: string): string {
  const [first = '', ...rest] = clause.split(' ')
  if (!VERBS.has(first) && rest.length > 0) return `${first} ${gerundOf(rest.join(' '))}`
  return [withIng(first), ...rest].join(' ')
}

function withIng(verb: string): string {
  if (DOUBLING.has(verb)) return `${verb}${verb.at(-1)}ing`
  if (verb.endsWith('ie')) return `${verb.slice(0, -2)}ying`
  return verb.endsWith('e') && !/[eoy]e$/.test(verb) ? `${verb.slice(0, -1)}ing` : `${verb}ing`
}

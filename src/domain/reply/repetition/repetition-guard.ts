import { foldQuote } from '../../../lib/fold-text.ts'
import { isSpeech, typedWords } from '../../text/player-line.ts'
import { SentenceReader } from '../../text/sentence-reader.ts'
import { mix, WordReader } from './word-reader.ts'

/** Score that a new word takes away. */
const NEW_WORD = 1.5

/** The part that a word of a text adds to the score, the score with it, and the word at which it left zero. */
interface Step {
  weight: number
  gain: number
  score: number
  start: number
}

/**
 * Adds up how much of the latest words is repetition and forgets it again over new words: the cumulative sum of Page,
 * "Continuous inspection schemes" (1954). It rises early where words repeat without a gap, and also where some are changed.
 */
class RepetitionScore {
  private readonly steps: Step[] = []

  get value(): number {
    return this.steps.at(-1)?.score ?? 0
  }

  get start(): number {
    return this.steps.at(-1)?.start ?? 0
  }

  /** Adds a word, so far as a new one. `weight` is its part of a word. */
  add(weight: number): void {
    this.steps.push({ weight, gain: -NEW_WORD, score: 0, start: 0 })
    this.update(this.steps.length - 1)
  }

  /** The last `length` words are a repetition: each counts `gain`, and the last one `times` as much. */
  repeat(length: number, gain: number, times: number): void {
    const last = this.steps.length - 1
    for (let i = last - length + 1; i <= last; i++) {
      const step = this.steps[i]
      if (step) step.gain = Math.max(step.gain, i === last ? gain * times : gain)
      this.update(i)
    }
  }

  private update(i: number): void {
    const [before, step] = [this.steps[i - 1], this.steps[i]]
    if (!step) return
    step.score = Math.max(0, (before?.score ?? 0) + step.gain * step.weight)
    step.start = before && before.score > 0 ? before.start : i
  }
}

interface ToldTexts {
  passages: readonly string[]
  /** The player's lines that wait for the reply, as they were sent. */
  lines: readonly string[]
  notes: readonly string[]
}

export interface Repetition {
  of: 'itself' | keyof ToldTexts
  /** Characters before it: up to the end of a sentence, or 0. */
  start: number
}

// With these, fewer than one passage of novels in a thousand is taken for a repetition (`npm run bench loops`).

/** The score of a repetition: about so many words. */
const LIMIT = 36
/** The score of one with which the reply begins, after at most so many words of its own. */
const LIMIT_AT_START = { score: 24, words: 2 }
/** The weight of a word that was told in an earlier passage: people quote others more than themselves. */
const EARLIER = 0.8
/** The weight of a word that the reply repeats within so many words. */
const NEAR = { words: 20, gain: 1.5 }
/** A word of the reply counts twice after so many in one go, three times after twice as many. */
const RUN = 6
/** List items resemble each other, so they count less. */
const LIST_WEIGHT = 0.5
/** The fewest words that make a reply: about 40 characters. */
const MIN_WORDS = 8

/** The share of new words in a reply that tells nothing new: “Dawn.” */
const MAX_NEW = 0.25
/** New words around what the player said: “The woman in the ball gown says”. */
const MAX_AROUND = 8
/** Letters of a speech that is not said back by chance: “Who are you?” may be anybody's. */
const MIN_SAID = 12

interface Word {
  offset: number
  weight: number
  told: keyof ToldTexts | null
}

/**
 * Watches a reply as it streams and finds where it begins to repeat itself, or an earlier passage; at its end, also what else
 * of the prompt it only tells again. The answer does not depend on how the text is cut into pieces, and its cost grows with
 * the length of the text.
 */
export class RepetitionGuard {
  private readonly told: ReadonlyMap<number, keyof ToldTexts>
  private readonly reader = new WordReader((...word) => this.add(...word))
  private readonly sentences = new SentenceReader()
  private readonly hashes: number[] = []
  private readonly words: Word[] = []
  private readonly score = new RepetitionScore()
  /** The word with which each phrase of the reply ended last. */
  private readonly seen = new Map<number, number>()
  private text = ''
  /** Words in one go that it has said before. */
  private run = 0
  private found: Repetition | null = null

  constructor(private readonly texts: ToldTexts) {
    const sources = ['notes', 'lines', 'passages'] as const
    this.told = new Map<number, keyof ToldTexts>(
      sources.flatMap((of) =>
        texts[of].flatMap((text) => [...phrasesIn(text)].map((one) => [one, of] as const)),
      ),
    )
  }

  /** Takes the next piece of the reply. Returns the repetition from its first sign on. */
  push(piece: string): Repetition | null {
    for (let i = 0; i < piece.length && !this.found; i++) {
      this.reader.feed(piece.charCodeAt(i), this.text.length)
      this.sentences.feed(piece.charAt(i), this.text.length)
      this.text += piece.charAt(i)
    }
    return this.found
  }

  end(): Repetition | null {
    if (!this.found) this.reader.end()
    this.sentences.end()
    return this.found
  }

  /** The texts that a complete reply only tells again: with hardly a new word, or with who says it. */
  toldAgain(): keyof ToldTexts | null {
    const { hashes, words, told } = this
    if (words.length === 0) return null
    const whole = told.get(hashes.reduce(mix, 0))
    if (whole) return whole
    const added = sumOf(words.filter(({ told }) => told === null))
    const text = foldQuote(this.text)
    const said = this.texts.lines.filter(isSpeech).map((line) => foldQuote(typedWords('say', line)))
    const isSaidBack = said.some((line) => line.length >= MIN_SAID && text.includes(line))
    if (isSaidBack && added <= MAX_AROUND) return 'lines'
    if (added > MAX_NEW * sumOf(words)) return null
    const weightOf = (of: keyof ToldTexts) => sumOf(words.filter(({ told }) => told === of))
    const sources = ['passages', 'lines', 'notes'] as const
    return sources.toSorted((a, b) => weightOf(b) - weightOf(a))[0] ?? null
  }

  private add(hash: number, weight: number, offset: number): void {
    const { hashes, words, score } = this
    const counted = this.sentences.isListItem ? weight * LIST_WEIGHT : weight
    hashes.push(hash)
    words.push({ offset, weight, told: null })
    score.add(counted)
    this.compare(phraseLength(weight))
    const limit = score.start > LIMIT_AT_START.words ? LIMIT : LIMIT_AT_START.score
    if (score.value < limit || this.found) return
    const of = words.at(-1)?.told === 'passages' ? 'passages' : 'itself'
    this.found = { of, start: this.lengthBefore(words[score.start]?.offset ?? 0) }
  }

  private compare(length: number): void {
    const { hashes, seen, told } = this
    const phrase = lastPhrase(hashes, length)
    if (phrase === null) return
    const before = seen.get(phrase)
    const of = told.get(phrase)
    seen.set(phrase, hashes.length)
    if (of) for (const word of this.words.slice(-length)) word.told ??= of
    this.run = before === undefined ? 0 : this.run + 1
    if (before !== undefined) {
      const gain = hashes.length - before <= NEAR.words ? NEAR.gain : 1
      this.score.repeat(length, gain, 1 + this.run / RUN)
    } else if (of === 'passages') this.score.repeat(length, EARLIER, 1)
  }

  /** Length of the text to keep before an offset: whole sentences; 0 if they are too short. */
  private lengthBefore(offset: number): number {
    const end = this.sentences.ends.findLast((end) => end <= offset) ?? 0
    return sumOf(this.words.filter(({ offset }) => offset < end)) < MIN_WORDS ? 0 : end
  }
}

function sumOf(words: readonly Word[]): number {
  return words.reduce((sum, { weight }) => sum + weight, 0)
}

/** Words of a phrase. Shorter ones recur in everybody's prose. */
const PHRASE_WORDS = 5

function phraseLength(weight: number): number {
  return PHRASE_WORDS / weight
}

/**
 * The hash of the last `length` words, given the hashes of words; null while they are too few. Such overlapping phrases are
 * the shingles of Broder, "On the resemblance and containment of documents" (1997).
 */
function lastPhrase(words: readonly number[], length: number): number | null {
  return words.length < length ? null : words.slice(-length).reduce(mix, 0)
}

/** The hashes of all phrases in a text; of a shorter text, that of all its words. */
function phrasesIn(text: string): Set<number> {
  const phrases = new Set<number>()
  const words: number[] = []
  const reader = new WordReader((hash, weight) => {
    words.push(hash)
    const phrase = lastPhrase(words, phraseLength(weight))
    if (phrase !== null) phrases.add(phrase)
  })
  for (let i = 0; i < text.length; i++) reader.feed(text.charCodeAt(i), i)
  reader.end()
  return phrases.size > 0 || words.length === 0 ? phrases : new Set([words.reduce(mix, 0)])
}

import { ReplyWords } from './loop-words.ts'
import { lastPhrase, phraseLength, phrasesIn } from './repetition-phrases.ts'
import { RepetitionScore } from './repetition-score.ts'
import { RepeatedSentences } from './repetition-sentences.ts'

/** A reply that repeats itself or an earlier passage. */
export interface Loop {
  /** How many characters of the reply are good: up to the end of a sentence before the repetition; 0 for none. */
  keep: number
  /** Whole sentences of the reply again, parts of its sentences, or an earlier passage. */
  kind: 'sentence' | 'phrase' | 'passage'
}

// The limits are words of repetition. With these, fewer than one passage of novels in a thousand is taken for a loop
// (`npm run bench loops`).

/** Repetition of its own text. */
const OWN_LIMIT = 32
/** Repetition of earlier passages, which people quote more. */
const EARLIER_LIMIT = 48
/** The same in a reply that began so. */
const SAME_START_LIMIT = 30
/** The same in a reply that is complete and nothing else. */
const SAME_REPLY_LIMIT = 12
/** The most words of its own before such a start. */
const START = 3
/** In a complete reply, what share of it. */
const START_SHARE = 0.25
/** Each further repetition of a phrase counts more, up to this many times. */
const MAX_TIMES = 3
/** List items resemble each other, so they count less. */
const LIST_WEIGHT = 0.5

/**
 * Watches a reply as it streams and says where it begins to repeat itself, or an earlier passage. The answer
 * does not depend on how the text is cut into pieces, and its cost grows with the length of the text.
 */
export class LoopGuard {
  private readonly words = new ReplyWords(() => this.judgeWord())
  private readonly earlier: ReadonlySet<number>
  /** How often each phrase of the reply was read. */
  private readonly seen = new Map<number, number>()
  private readonly run = new RepetitionRun()
  private readonly own = new RepetitionScore()
  private readonly copied = new RepetitionScore()
  private readonly repeated = new RepeatedSentences()
  /** The sentences that were judged: how many, and the word after them. */
  private judged = { sentences: 0, words: 0 }
  private loop: Loop | null = null

  /** `earlier` are the narrations in the window. */
  constructor(earlier: readonly string[]) {
    this.earlier = phrasesIn(earlier)
  }

  /** Takes the next piece of the reply. Returns the loop from its first sign on. */
  push(text: string): Loop | null {
    for (let i = 0; i < text.length && !this.loop; i++) {
      this.words.feed(text.charAt(i))
      this.judgeSentence()
    }
    return this.loop
  }

  /** The reply is complete. */
  end(): Loop | null {
    if (this.loop) return this.loop
    this.words.end()
    this.judgeSentence()
    const { copied, words } = this
    const start = Math.max(START, START_SHARE * words.hashes.length)
    if (copied.start < start && copied.isRising && copied.value >= SAME_REPLY_LIMIT)
      this.stop(copied.start, 'passage')
    return this.loop
  }

  private judgeWord(): void {
    const { words, own, copied } = this
    const weight = words.weights.at(-1) ?? 1
    const counted = weight * (words.isListItem ? LIST_WEIGHT : 1)
    own.add(counted)
    copied.add(counted)
    this.compare(phraseLength(weight))
    const run = this.run.lengthOfLoop(counted)
    if (run > 0) this.stop(words.hashes.length - run)
    else if (own.value >= OWN_LIMIT) this.stop(own.start)
    else if (copied.value >= (copied.start < START ? SAME_START_LIMIT : EARLIER_LIMIT))
      this.stop(copied.start, 'passage')
  }

  /** Looks for the last words in the reply and in earlier passages. */
  private compare(length: number): void {
    const { hashes } = this.words
    const phrase = lastPhrase(hashes, length)
    if (phrase === null) return
    this.run.add(phrase, length, hashes.length - 1)
    const times = this.seen.get(phrase) ?? 0
    this.seen.set(phrase, times + 1)
    if (times > 0) this.own.repeat(length, Math.min(times, MAX_TIMES))
    if (this.earlier.has(phrase)) this.copied.repeat(length, 1)
  }

  /** Looks for the last sentence, if one has just ended, among those before it. */
  private judgeSentence(): void {
    const { words, judged, repeated } = this
    if (words.sentenceCount === judged.sentences) return
    const next = words.afterSentences(judged.words)
    this.judged = { sentences: words.sentenceCount, words: next }
    if (words.isListItem) return
    const weight = words.weights.slice(judged.words, next).reduce((sum, weight) => sum + weight, 0)
    repeated.add(words.hashes.slice(judged.words, next), weight, judged.words)
    if (repeated.isLoop) this.stop(repeated.start, 'sentence')
  }

  /** The reply is a loop from a word on. */
  private stop(word: number, kind?: Loop['kind']): void {
    const { words } = this
    this.loop ??= {
      keep: words.lengthBefore(word),
      kind: kind ?? (words.hasSentenceFrom(word) ? 'sentence' : 'phrase'),
    }
  }
}

/** This many words that are repeated immediately are a loop. */
const TWICE = 12
/** This many words that appear for the second and third time in a row are a loop. */
const THRICE = 14

/** The words that repeat what stands a fixed distance before them: the same again without a pause. */
class RepetitionRun {
  private readonly last = new Map<number, number>()
  private distance = 0
  private length = 0

  /** Takes the phrase of `length` words that ends with word `index`, the first of 0. */
  add(phrase: number, length: number, index: number): void {
    const before = this.last.get(phrase)
    this.last.set(phrase, index)
    const distance = before === undefined ? 0 : index - before
    this.length = distance === this.distance ? this.length + 1 : length
    this.distance = distance
  }

  /** How many words have been repeated without a pause, if that is a loop; else 0. A word counts `weight`. */
  lengthOfLoop(weight: number): number {
    const { distance, length } = this
    const isTwice = length >= distance && distance * weight >= TWICE
    const isThrice = length >= 2 * distance && length * weight >= THRICE
    return distance > 0 && (isTwice || isThrice) ? length : 0
  }
}

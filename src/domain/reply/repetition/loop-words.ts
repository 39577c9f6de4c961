import { SentenceReader } from '../../text/sentence-reader.ts'
import { WordReader } from './repetition-words.ts'

/** The fewest words that make a reply: about 40 characters. */
const MIN_KEPT = 8

/** The words and sentences of a reply so far. */
export class ReplyWords {
  /** For each word its hash, its weight, and the offset at which it begins. */
  readonly hashes: number[] = []
  readonly weights: number[] = []
  private readonly starts: number[] = []
  private readonly sentences = new SentenceReader()
  private readonly reader: WordReader
  private offset = 0

  /** `onWord` is called after each word. */
  constructor(onWord: () => void) {
    this.reader = new WordReader((hash, weight, start) => {
      this.hashes.push(hash)
      this.weights.push(weight)
      this.starts.push(start)
      onWord()
    })
  }

  /** How many sentences have ended. */
  get sentenceCount(): number {
    return this.sentences.ends.length
  }

  /** Whether the last word belongs to an item of a list. */
  get isListItem(): boolean {
    return this.sentences.isListItem
  }

  /** Takes the next UTF-16 unit. */
  feed(character: string): void {
    this.reader.feed(character.charCodeAt(0), this.offset)
    this.sentences.feed(character, this.offset)
    this.offset++
  }

  /** The reply is complete. */
  end(): void {
    this.reader.end()
    this.sentences.end()
  }

  /** The first word at or after a word that is not part of the sentences that have ended. */
  afterSentences(word: number): number {
    const end = this.sentences.ends.at(-1) ?? 0
    let next = word
    while ((this.starts[next] ?? Infinity) < end) next++
    return next
  }

  /** How much of the text to keep if a word and all after it is dropped: whole sentences; 0 if they are too short. */
  lengthBefore(word: number): number {
    const offset = this.starts[word] ?? 0
    const end = this.sentences.ends.findLast((end) => end <= offset) ?? 0
    const kept = this.weights.filter((_, i) => (this.starts[i] ?? 0) < end)
    return kept.reduce((sum, weight) => sum + weight, 0) < MIN_KEPT ? 0 : end
  }

  /** Whether a sentence begins with a word, or a whole one has ended since the sentence of that word. */
  hasSentenceFrom(word: number): boolean {
    const offset = this.starts[word] ?? 0
    const before = this.starts[word - 1] ?? -1
    const { ends } = this.sentences
    const begins = word === 0 || ends.some((end) => end > before && end <= offset)
    return begins || ends.filter((end) => end > offset).length > 1
  }
}

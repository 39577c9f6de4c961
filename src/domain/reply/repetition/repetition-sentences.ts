import { mix } from './repetition-words.ts'

/** Shorter sentences are repeated for effect: “Yes.”, “Never again.” */
const MIN_WORDS = 4
/** The most that a sentence counts, in words: a single one is not a loop. */
const MAX_WORDS = 10
/** This many words in repeated sentences, with little new text between them, are a loop. */
const LIMIT = 15
/** How much each new word lowers the count. */
const FORGOTTEN = 0.25

/** The whole sentences of a reply that it has said before, word by word. People hardly ever repeat them. */
export class RepeatedSentences {
  /** The first word of the first of them. */
  start = 0
  private readonly said = new Set<number>()
  private words = 0

  get isLoop(): boolean {
    return this.words >= LIMIT
  }

  /** Takes a sentence by the hashes of its words. They count `weight`, and the first is word `start` of the reply. */
  add(hashes: readonly number[], weight: number, start: number): void {
    if (weight < MIN_WORDS) return
    const sentence = hashes.reduce(mix, 0)
    if (!this.said.has(sentence)) {
      this.said.add(sentence)
      this.words = Math.max(0, this.words - FORGOTTEN * weight)
      return
    }
    if (this.words === 0) this.start = start
    this.words += Math.min(weight, MAX_WORDS)
  }
}

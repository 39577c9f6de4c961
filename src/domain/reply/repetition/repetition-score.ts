/** What a word that is no repetition takes from the score: at fewer than 60 % repeated words it falls. */
const NEW_WORD = 1.5

/**
 * Adds up how much of the latest words is repetition and forgets it again over new words: the cumulative sum of Page,
 * "Continuous inspection schemes" (1954). It rises early where words repeat without a gap, and also where some are changed.
 */
export class RepetitionScore {
  private readonly gains: number[] = []
  private readonly weights: number[] = []
  private readonly scores: number[] = []
  private readonly starts: number[] = []

  /** The score after the last word. */
  get value(): number {
    return this.scores.at(-1) ?? 0
  }

  /** The word at which the score left zero. */
  get start(): number {
    return this.starts.at(-1) ?? 0
  }

  /** Whether the last word is repetition. */
  get isRising(): boolean {
    return (this.gains.at(-1) ?? 0) > 0
  }

  /** Adds a word, so far as a new one. `weight` is its part of a word. */
  add(weight: number): void {
    this.gains.push(0)
    this.weights.push(weight)
    this.update(this.gains.length - 1)
  }

  /** The last `length` words have been read before; the last of them `times` times. */
  repeat(length: number, times: number): void {
    const last = this.gains.length - 1
    const first = last - length + 1
    for (let i = first; i <= last; i++) this.gains[i] ||= 1
    this.gains[last] = times
    for (let i = first; i <= last; i++) this.update(i)
  }

  private update(i: number): void {
    const before = this.scores[i - 1] ?? 0
    this.scores[i] = Math.max(0, before + (this.gains[i] || -NEW_WORD) * (this.weights[i] ?? 1))
    this.starts[i] = before === 0 ? i : (this.starts[i - 1] ?? 0)
  }
}

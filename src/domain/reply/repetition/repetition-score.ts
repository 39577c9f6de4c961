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
export class RepetitionScore {
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

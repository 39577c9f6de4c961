/** This many words that are repeated immediately are a loop. */
const TWICE = 12
/** This many words that appear for the second and third time in a row are a loop. */
const THRICE = 14

/** The words that repeat what stands a fixed distance before them: the same again without a pause. */
export class RepetitionRun {
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

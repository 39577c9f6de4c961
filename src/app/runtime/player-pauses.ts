/** Pauses to remember. Players slow down and speed up, so older ones say little. */
const RECENT = 5

/** The player's pauses between two turns, in milliseconds. Forgotten on restart. */
export class PlayerPauses {
  private began: number | null = null
  private readonly recent: number[] = []

  /** A turn has ended. */
  begin(now: number): void {
    this.began = now
  }

  /** The next turn begins. */
  end(now: number): void {
    if (this.began === null) return
    this.recent.push(now - this.began)
    this.began = null
    if (this.recent.length > RECENT) this.recent.shift()
  }

  /** The median of the last pauses; Infinity before the first. */
  get usual(): number {
    const { recent } = this
    return recent.toSorted((a, b) => a - b)[recent.length >> 1] ?? Number.POSITIVE_INFINITY
  }
}

import { LoopGuard } from './loops/loop-guard.ts'

/** How far dropped text goes. In brackets or as a paragraph, it also ends at a blank line. */
type Extent = 'line' | 'bracket' | 'paragraph'

/** Text that is being dropped: a note of ours, or what the model says for the player. */
export class DroppedText {
  private depth = 1
  private hasText: boolean

  /** `hasText` is whether its first line has text already. */
  constructor(
    private until: Extent,
    { hasText }: { hasText: boolean },
  ) {
    this.hasText = hasText
  }

  /** Takes the next character. Returns where the text ends, if it ends with this character. */
  feed(c: string): 'line' | 'blank line' | 'bracket' | null {
    if (c === '\n') return this.endLine()
    if (/\S/.test(c)) this.hasText = true
    if (this.until !== 'bracket') return null
    if (c === '[') this.depth++
    if (c === ']') this.depth--
    return this.depth > 0 ? null : 'bracket'
  }

  private endLine(): 'line' | 'blank line' | null {
    const { hasText } = this
    const isEnded = this.until === 'line' ? hasText : !hasText
    // The label of the player alone: the next lines are what the player says.
    if (this.until === 'line') this.until = 'paragraph'
    this.hasText = false
    if (!isEnded) return null
    return hasText ? 'line' : 'blank line'
  }
}

/** Finds replies that repeat our notes over and over. A note may occur twice before the prose begins. */
export class RepeatedNotes {
  private guard = new LoopGuard([])
  private loops = 0

  /** Takes the next dropped character. Returns whether the reply is nothing but notes from here on. */
  push(c: string): boolean {
    if (this.guard.push(c) === null) return false
    this.guard = new LoopGuard([])
    return ++this.loops === 2
  }
}

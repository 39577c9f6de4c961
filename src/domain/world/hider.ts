import { BlockBody, type Ended } from './block-body.ts'
import type { Block } from './delta.ts'
import { mayOpen, type Opening, opening, TOO_LONG_TO_OPEN } from './opening.ts'
import type { Paths } from './resolve.ts'

/** White space that is held back until it is known whether prose follows; more than this is passed on. */
const MOST_BLANK = 60

/**
 * Stands between the model and the reader: passes the prose on and takes the blocks of changes out, whatever the pieces
 * in which they come (8.4a of the world-state sheet). Outside a block at most about 120 characters are held back.
 */
export class Hider {
  readonly blocks: Block[] = []
  /** What may become a block, or may be prose after all; '' for none. */
  private candidate = ''
  private linesUp = false
  private body: BlockBody | null = null
  /** The prose that can be passed on. */
  private out = ''
  /** White space since the last of it. */
  private blank = ''
  private hasTold = false
  /** A block was taken out since then. */
  private hasHidden = false
  private owesFence = false
  private storyFence = ''

  constructor(private readonly paths: Paths) {}

  /** Takes the next piece of the reply in; gives the prose that may be shown now. */
  push(piece: string): string {
    for (const c of piece) this.feed(c)
    return this.takeOut()
  }

  /** The reply has ended; gives the prose that was held back. */
  end(): string {
    while (this.candidate !== '' || this.body) {
      if (this.body) this.close(this.body.breakOff())
      else this.decide(true)
    }
    return this.takeOut()
  }

  private takeOut(): string {
    const { out } = this
    this.out = ''
    return out
  }

  private feed(c: string): void {
    if (this.body) {
      const ended = this.body.feed(c)
      if (ended) this.close(ended)
    } else if (this.candidate !== '') {
      this.candidate += c
      this.decide(false)
    } else if (/\s/.test(c)) this.hold(c)
    else {
      this.linesUp = !this.hasTold || this.hasHidden || this.blank.includes('\n')
      if (mayOpen(c, this.linesUp)) this.candidate = c
      else this.tell(c)
    }
  }

  private feedAll(text: string): void {
    for (const c of text) this.feed(c)
  }

  private hold(c: string): void {
    this.blank += c
    if (this.blank.length > MOST_BLANK && this.hasTold && !this.hasHidden) this.tell('')
  }

  /** Passes prose on with the white space before it. Where a block stood, its two sides are joined by a clean break. */
  private tell(prose: string): void {
    const between = this.hasHidden ? (this.blank.includes('\n') ? '\n\n' : ' ') : this.blank
    this.out += this.hasTold ? between + prose : prose
    this.blank = ''
    this.hasTold = true
    this.hasHidden = false
  }

  private decide(isEnd: boolean): void {
    const { candidate: text, linesUp, paths, owesFence, storyFence } = this
    const found = opening(text, { paths, linesUp, isEnd, owesFence, storyFence })
    if (found.kind === 'more' && !isEnd && text.length < TOO_LONG_TO_OPEN) return
    this.candidate = ''
    this.settle(found, text)
  }

  private settle(found: Opening, text: string): void {
    const length = found.kind === 'more' ? 1 : found.length
    if (found.kind === 'block') this.body = new BlockBody(found.closer)
    if (found.kind === 'mark') this.owesFence = false
    if (found.kind === 'block' || found.kind === 'mark') this.hasHidden = true
    else this.tell(text.slice(0, length))
    if (found.kind === 'story') this.storyFence = found.fence ?? this.storyFence
    this.feedAll(text.slice(length))
  }

  private close({ block, rest, owesFence }: Ended): void {
    this.body = null
    this.blocks.push(block)
    this.owesFence = owesFence
    this.feedAll(rest)
  }
}

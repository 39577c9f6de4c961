import { BlockBody, type Ended } from './block/block-body.ts'
import type { Block } from './block/delta.ts'
import { isLabel, mayOpen, type Opening, opening, TOO_LONG_TO_OPEN } from './block/block-start.ts'
import type { Paths } from './block/path-resolver.ts'

/** White space that is held back until it is known whether prose follows; more than this is passed on. */
const MOST_BLANK = 60

/** Openings in one reply that may be looked at again from their second character on; of more, all of it is prose. */
const MOST_UNDECIDED = 20

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
  /** Openings that were too long to be decided: each costs a look at every beginning of what is left of it. */
  private undecided = 0
  /** The fence that a block still owes; `*` after a bare object, '' for none. */
  private owed = ''
  private closer = ''
  /** What may still belong to the closing mark of a block: the rest of its fence. */
  private tail = ''
  /** Open brackets of an object that is the story's own. */
  private storyDepth = 0
  private storyFence = ''

  constructor(private readonly paths: Paths) {}

  /** Takes the next piece of the reply in; gives the prose that may be shown now. */
  push(piece: string): string {
    for (let at = 0; at < piece.length; ) {
      at += this.body?.passesOver(piece, at) ?? 0
      const c = String.fromCodePoint(piece.codePointAt(at) ?? 0)
      this.feed(c)
      at += c.length
    }
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
    else this.feedStory(c)
  }

  private feedStory(c: string): void {
    if (c === this.tail) return
    // A bracket too many belongs to the block before it.
    if (this.hasHidden && (c === '}' || c === ']')) return
    this.tail = ''
    this.linesUp = !this.hasTold || this.hasHidden || this.blank.includes('\n')
    if (this.blank.endsWith('\n') || /\n\s*\n/.test(this.blank)) this.storyDepth = 0
    if (this.storyDepth > 0) this.storyDepth += c === '{' ? 1 : c === '}' ? -1 : 0
    const isOfStory = c === '{' && this.storyDepth > 0
    if (!isOfStory && mayOpen(c, this.linesUp)) this.candidate = c
    else this.tell(c)
  }

  private feedAll(text: string): void {
    for (const c of text) this.feed(c)
  }

  private hold(c: string): void {
    this.tail = ''
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
    const { candidate: text, linesUp, paths, owed, storyFence, hasHidden: isRightAfter } = this
    const found = opening(text, { paths, linesUp, isEnd, owed, isRightAfter, storyFence })
    if (found.kind === 'more' && !isEnd && text.length < TOO_LONG_TO_OPEN) return
    this.candidate = ''
    this.settle(found, text)
  }

  private settle(found: Opening, text: string): void {
    const length = found.kind === 'more' ? this.proseOf(text) : found.length
    if (found.kind === 'block') this.open(found.closer)
    if (found.kind === 'mark') this.owed = ''
    if (found.kind === 'block' || found.kind === 'mark') this.hasHidden = true
    else this.tell(text.slice(0, length))
    if (found.kind === 'story') this.storyFence = found.fence ?? this.storyFence
    if (text.startsWith('{') && (found.kind === 'story' || found.kind === 'more')) this.storyDepth = 1
    this.feedAll(text.slice(length))
  }

  private proseOf(undecided: string): number {
    return ++this.undecided > MOST_UNDECIDED ? undecided.length : 1
  }

  private open(closer: string): void {
    this.closer = closer
    this.body = new BlockBody({
      closer,
      isLabel,
      isKey: (word) => this.paths.knows(word),
      mayBeKey: (begun) => this.paths.mayName(begun),
    })
  }

  private close({ block, rest, owesFence }: Ended): void {
    this.body = null
    this.hasHidden = true
    this.blocks.push(block)
    this.owed = owesFence ? this.closer || '*' : ''
    this.tail = /^[`~]/.test(this.closer) && !owesFence ? this.closer.charAt(0) : ''
    this.feedAll(rest)
  }
}

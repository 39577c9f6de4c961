import { BlockBody, type BlockEnd } from './block-body.ts'
import { type BlockStart, blockStart, isLabel, MAX_START, mayStartBlock } from './block-start.ts'
import type { StateBlock } from './delta.ts'
import type { PathResolver } from './path-resolver.ts'

/** Whitespace is held back until prose follows, up to this many characters. */
const MAX_BLANK = 60

/** How many undecided openings of a reply are examined again from their second character; after that they are prose. */
const MAX_UNDECIDED = 20

/**
 * Filters the stream from the model to the reader: passes the prose on and removes the state blocks, however the reply is
 * split into chunks (docs/rules.md 6). Outside a block it holds back at most about 120 characters.
 */
export class Hider {
  readonly blocks: StateBlock[] = []
  /** The beginning of a possible block, which may still turn out to be prose; '' for none. */
  private candidate = ''
  private isLineStart = false
  private body: BlockBody | null = null
  /** The prose that is ready to be passed on. */
  private output = ''
  /** Whitespace since the last prose. */
  private blank = ''
  private hasProse = false
  /** Whether a block was removed since the last prose. */
  private hasHidden = false
  /** Openings that stayed undecided: each costs another look at the rest of it. */
  private undecided = 0
  /** The closing fence that a block still owes; `*` after a bare object, '' for none. */
  private owed = ''
  private closer = ''
  /** The fence character that may still belong to the closing fence of a block; '' for none. */
  private fenceTail = ''
  /** Open braces of an object that belongs to the story. */
  private storyDepth = 0
  private storyFence = ''

  constructor(private readonly paths: PathResolver) {}

  /** Takes the next chunk of the reply; returns the prose that can be shown now. */
  push(chunk: string): string {
    for (let at = 0; at < chunk.length; ) {
      at += this.body?.skippable(chunk, at) ?? 0
      const c = String.fromCodePoint(chunk.codePointAt(at) ?? 0)
      this.feed(c)
      at += c.length
    }
    return this.flush()
  }

  /** Ends the reply; returns the prose that was held back. */
  end(): string {
    while (this.candidate !== '' || this.body) {
      if (this.body) this.closeBlock(this.body.breakOff())
      else this.decide(true)
    }
    return this.flush()
  }

  private flush(): string {
    const { output } = this
    this.output = ''
    return output
  }

  private feed(c: string): void {
    if (this.body) {
      const ended = this.body.feed(c)
      if (ended) this.closeBlock(ended)
    } else if (this.candidate !== '') {
      this.candidate += c
      this.decide(false)
    } else if (/\s/.test(c)) this.hold(c)
    else this.feedProse(c)
  }

  private feedProse(c: string): void {
    if (c === this.fenceTail) return
    // A surplus bracket belongs to the block before it.
    if (this.hasHidden && (c === '}' || c === ']')) return
    this.fenceTail = ''
    this.isLineStart = !this.hasProse || this.hasHidden || this.blank.includes('\n')
    if (this.blank.endsWith('\n') || /\n\s*\n/.test(this.blank)) this.storyDepth = 0
    if (this.storyDepth > 0) this.storyDepth += c === '{' ? 1 : c === '}' ? -1 : 0
    const isNested = c === '{' && this.storyDepth > 0
    if (!isNested && mayStartBlock(c, this.isLineStart)) this.candidate = c
    else this.emit(c)
  }

  private feedAll(text: string): void {
    for (const c of text) this.feed(c)
  }

  private hold(c: string): void {
    this.fenceTail = ''
    this.blank += c
    if (this.blank.length > MAX_BLANK && this.hasProse && !this.hasHidden) this.emit('')
  }

  /** Passes prose on with the whitespace before it. Where a block was removed, one clean break joins its two sides. */
  private emit(prose: string): void {
    const between = this.hasHidden ? (this.blank.includes('\n') ? '\n\n' : ' ') : this.blank
    this.output += this.hasProse ? between + prose : prose
    this.blank = ''
    this.hasProse = true
    this.hasHidden = false
  }

  private decide(isEnd: boolean): void {
    const { candidate: text, isLineStart, paths, owed, storyFence, hasHidden: isRightAfter } = this
    const found = blockStart(text, { paths, isLineStart, isEnd, owed, isRightAfter, storyFence })
    if (found.kind === 'more' && !isEnd && text.length < MAX_START) return
    this.candidate = ''
    this.apply(found, text)
  }

  private apply(found: BlockStart, text: string): void {
    const length = found.kind === 'more' ? this.undecidedLength(text) : found.length
    if (found.kind === 'block') this.openBlock(found.closer)
    if (found.kind === 'mark') this.owed = ''
    if (found.kind === 'block' || found.kind === 'mark') this.hasHidden = true
    else this.emit(text.slice(0, length))
    if (found.kind === 'story') this.storyFence = found.fence ?? this.storyFence
    if (text.startsWith('{') && (found.kind === 'story' || found.kind === 'more')) this.storyDepth = 1
    this.feedAll(text.slice(length))
  }

  /** How much of an undecided opening becomes prose. */
  private undecidedLength(undecided: string): number {
    return ++this.undecided > MAX_UNDECIDED ? undecided.length : 1
  }

  private openBlock(closer: string): void {
    this.closer = closer
    this.body = new BlockBody({
      closer,
      isLabel,
      isKey: (word) => this.paths.knows(word),
      mayBeKey: (begun) => this.paths.mayName(begun),
    })
  }

  private closeBlock({ block, rest, owesFence }: BlockEnd): void {
    this.body = null
    this.hasHidden = true
    this.blocks.push(block)
    this.owed = owesFence ? this.closer || '*' : ''
    this.fenceTail = /^[`~]/.test(this.closer) && !owesFence ? this.closer.charAt(0) : ''
    this.feedAll(rest)
  }
}

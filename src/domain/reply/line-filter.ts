import { type Echoes, type KnownTexts, prepareEchoes } from './known-texts.ts'
import { bracketEnd } from './note-openings.ts'
import { type Context, type ProseVerdict, readLine } from './read-line.ts'

/** Stands for dropped text in the gap between two pieces of prose. */
const DROPPED = '\0'
/** Characters of dropped text without prose between them after which nothing else will come. */
const MAX_DROPPED = 2_000
const BLANKS = /^[^\S\n]+/
/** Characters of a line that show its label. */
const LABEL_LENGTH = 48
/** Characters in which the closing bracket of a note is looked for. */
const MAX_NOTE = 2_000

/** The place in the reply: the start of a line, a line of prose, one in which no state block is looked for, or a dropped one; `cut` where the model plays the player; `ended`. */
type Place = 'start' | 'prose' | 'plain' | 'dropped' | 'cut' | 'ended'

interface State {
  place: Place
  context: Context
  hasDropped: boolean
  hasBlock: boolean
}

const START: Context = {
  hasProse: false,
  isRest: false,
  isAfterNote: false,
  line: '',
  isMarked: false,
  fence: '',
  isMidLine: false,
  isInBlock: false,
  owesFence: false,
}

/** Drops echoes of the prompt line by line. Holds a line back until its first sentence ends. */
export class LineFilter {
  private held = ''
  private gap = ''
  private state: State = { place: 'start', context: START, hasDropped: false, hasBlock: false }
  private readonly known: KnownTexts

  constructor(echoes: Echoes) {
    this.known = prepareEchoes(echoes)
  }

  /** True where nothing that follows can be prose: the model plays the player, or repeats our notes. */
  get isEnded(): boolean {
    return this.isCut || this.state.place === 'ended'
  }

  get isCut(): boolean {
    return this.state.place === 'cut'
  }

  get hasBlock(): boolean {
    return this.state.hasBlock
  }

  get hasDropped(): boolean {
    return this.state.hasDropped
  }

  /** Takes the next piece of the reply; returns the prose that can be shown now. */
  push(piece: string): string {
    this.held += piece
    return this.read(false)
  }

  /** Returns the prose that was held back. */
  end(): string {
    return this.read(true)
  }

  private read(isEnd: boolean): string {
    let prose = ''
    while (!this.isEnded) {
      if (this.state.place === 'start')
        this.gap += this.take(this.held.length - this.held.replace(BLANKS, '').length)
      if (this.held === '') break
      const shown = this.state.place === 'start' ? this.readStart(isEnd) : this.readRest()
      if (shown === null) break
      prose += shown
    }
    return prose
  }

  private readRest(): string {
    const { place, context } = this.state
    const end = this.held.indexOf('\n')
    const block = place === 'prose' && this.known.isPath ? this.held.search(/[`{<]/) : -1
    const rest = this.take(Math.min(...[end, block].map((at) => (at < 0 ? this.held.length : at))))
    if (place === 'dropped') this.drop(rest.length)
    const line = place !== 'dropped' ? (context.line + rest).slice(0, LABEL_LENGTH) : context.line
    this.go(this.state.place, { ...context, line })
    if (block >= 0 && (end < 0 || block < end)) this.go('start', { ...this.state.context, isMidLine: true })
    else if (end >= 0) this.endLine(this.state.context)
    return place === 'dropped' ? '' : rest
  }

  private readStart(isEnd: boolean): string | null {
    const { context } = this.state
    const verdict = readLine(this.held, isEnd, context, this.known)
    if (verdict === null) return null
    switch (verdict.kind) {
      case 'prose':
        return this.show(verdict)
      case 'blank':
        this.endLine(context)
        return ''
      case 'drop':
        this.go('start', {
          ...context,
          isRest: true,
          isAfterNote: context.isAfterNote || verdict.isNote === true,
          isMidLine: false,
          isInBlock: verdict.isInBlock ?? false,
        })
        if (verdict.isInBlock !== undefined) this.state = { ...this.state, hasBlock: true }
        this.drop(this.take(verdict.length).length)
        return ''
      case 'note':
        return this.dropNote(verdict.extent, isEnd)
      case 'cut':
        this.state = { ...this.state, place: 'cut', hasDropped: true }
        return ''
    }
  }

  private show({ start = 0, isMarked = false, fence = '' }: ProseVerdict): string {
    const { hasProse, isInBlock, owesFence } = this.state.context
    this.take(start)
    const space = spaceOf(this.gap, hasProse)
    this.gap = ''
    const hasDropped = this.hasDropped || isMarked
    this.state = {
      ...this.state,
      place: /^[`{<]/.test(this.held) ? 'plain' : 'prose',
      context: { ...START, hasProse: true, isMarked, fence, owesFence: owesFence || isInBlock },
      hasDropped,
    }
    return space
  }

  /** Drops a note up to a closing bracket in its paragraph, or its line. Null while the bracket may still come. */
  private dropNote(extent: 'bracket' | 'line', isEnd: boolean): string | null {
    const context = { ...this.state.context, isAfterNote: true }
    const blank = this.held.search(/\n[ \t\r]*\n/)
    const paragraph = this.held.slice(0, blank < 0 ? MAX_NOTE : Math.min(blank, MAX_NOTE))
    const closed = extent === 'bracket' ? bracketEnd(paragraph) : -1
    const isWhole = isEnd || blank >= 0 || paragraph.length === MAX_NOTE
    if (extent === 'bracket' && closed < 0 && !isWhole) return null
    this.go(closed < 0 ? 'dropped' : 'start', { ...context, isRest: closed >= 0 })
    if (closed >= 0) this.drop(this.take(closed).length)
    return ''
  }

  private drop(length: number): void {
    this.gap += DROPPED.repeat(length)
    const isEndless = this.gap.split(DROPPED).length > MAX_DROPPED
    this.state = { ...this.state, hasDropped: true, ...(isEndless ? { place: 'ended' } : null) }
  }

  private go(place: Place, context: Context): void {
    this.state = { ...this.state, place, context }
  }

  private endLine(context: Context): void {
    if (this.isEnded) return
    this.gap += this.take(1)
    this.go('start', { ...context, isRest: false, isMidLine: false })
  }

  private take(length: number): string {
    const taken = this.held.slice(0, length)
    this.held = this.held.slice(length)
    return taken
  }
}

/** The white space to show before prose. Where text was dropped, one clean break joins the two sides. */
function spaceOf(gap: string, hasProse: boolean): string {
  if (!hasProse) return ''
  if (!gap.includes(DROPPED)) return gap
  const breaks = gap.split(DROPPED).map((space) => space.split('\n').length - 1)
  return '\n'.repeat(Math.min(2, Math.max(...breaks)))
}

import { foldedLines, foldedSentences, LineMatcher } from './line-matcher.ts'
import { OpeningReader } from './line-opening.ts'
import { LoopGuard } from './loops/loop-guard.ts'
import { NOTE_LINES } from './note-openings.ts'
import { playerEchoes } from './player-echoes.ts'

/** What a reply may repeat. */
export interface Echoes {
  /** The player's lines as they were sent. */
  playerLines: readonly string[]
  /** Our notes and instructions as they were sent. */
  notes?: readonly string[]
  /** The names of the story's people: a label that is one of them is prose. */
  names?: readonly string[]
}

/** Text that is being dropped: a note of ours, or what the model says for the player. */
interface DroppedText {
  /** Where it ends; one in brackets or of a paragraph also ends at a blank line. */
  until: 'line' | 'bracket' | 'paragraph'
  /** Open brackets. */
  depth: number
  /** Whether its current line has text. */
  hasText: boolean
}

const NOTES = foldedLines(NOTE_LINES)

/** The end of a sentence, and the first character of the next one. */
const NEXT_SENTENCE =
  /[.!?…]["'”’»*_)]*\s+[^\s\p{Ll}.,;:!?…)–—-]$|[。！？](?:["”’»」』）]*\s+)?[^\s\p{Ll}"”’»」』）。！？]$/u

/** The mark of the player's lines in front of prose: small models copy it. */
const PLAYER_MARK = /^\s*> ?(?=You |["“„«「])/

/**
 * A shorter line of the player, such as "You wait.", is also a natural beginning of prose. In bytes without marks and spaces,
 * because characters of denser scripts take more bytes.
 */
const MIN_REPEATED_START = 9

/**
 * Drops what a reply repeats of its prompt: lines that begin like our notes, labels of who speaks, and the player's line as
 * the first one or its beginning (docs/rules.md 4.14). However the reply is split into pieces, the result is the same. Holds a line back only
 * as long as it can still be dropped.
 */
export class EchoFilter {
  /** Whether the model began to play the player, or repeats notes over and over: everything from there is dropped. */
  isEnded = false
  /** Whether anything was dropped. */
  dropped = false
  private output = ''
  private isInProse = false
  private hasProse = false
  private droppedText: DroppedText | null = null
  /** Finds repetition in what was dropped since the last prose, and how often it did. */
  private noteGuard = new LoopGuard([])
  private noteLoops = 0
  /** The line so far, while it can still be dropped. */
  private line = ''
  private opening: OpeningReader
  private matcher: LineMatcher
  /** Whether something was dropped from the front of the line. */
  private isRest = false
  /** Marks of emphasis that belong to a dropped label. */
  private openMarks = 0
  /** The whitespace between the last prose and this line. */
  private gap = ''
  private hasDroppedInGap = false
  /** Line ends in the gap: since something was dropped there, and the most without anything between them. */
  private breaks = { now: 0, most: 0 }
  private readonly names: ReadonlySet<string>
  /** Lines that count before the first prose, and right after something that was dropped; and those of the player as they were sent. */
  private readonly known: { first: string[]; afterNote: string[]; sent: string[] }

  constructor({ playerLines, notes = [], names = [] }: Echoes) {
    this.names = new Set(names.map((name) => name.toLowerCase()))
    this.known = {
      first: playerEchoes(playerLines),
      afterNote: [...foldedLines(notes), ...foldedSentences(notes)],
      sent: foldedLines(playerLines).filter(
        (line) => new TextEncoder().encode(line).length >= MIN_REPEATED_START,
      ),
    }
    this.opening = new OpeningReader(this.names, false)
    this.matcher = this.newMatcher()
  }

  /** Takes the next piece of the reply; returns the prose that can be shown now. */
  push(piece: string): string {
    for (let at = 0; at < piece.length && !this.isEnded; ) {
      if (this.isInProse) at = this.passLine(piece, at)
      else this.feed(piece.charAt(at++))
    }
    return this.flush()
  }

  /** Ends the reply; returns what was held back. */
  end(): string {
    if (this.isEnded || this.isInProse || this.droppedText) return ''
    const kind = this.kindOfLine()
    if (kind === 'prose') this.passHeld()
    if (kind === 'echo') this.dropLine()
    if (kind === 'blank' && !this.hasDroppedInGap) this.output += this.gap + this.line
    return this.flush()
  }

  private flush(): string {
    const { output } = this
    this.output = ''
    return output
  }

  /** Passes the rest of a line of prose; returns where the next one starts. */
  private passLine(piece: string, from: number): number {
    const end = piece.indexOf('\n', from)
    this.output += piece.slice(from, end === -1 ? undefined : end)
    if (end === -1) return piece.length
    this.isInProse = false
    this.endLine('')
    return end + 1
  }

  private feed(c: string): void {
    if (this.droppedText) this.skip(this.droppedText, c)
    else if (c === '\n') this.completeLine()
    else if (!this.isRest || this.line !== '' || !this.belongsToLabel(c)) this.feedLine(c)
  }

  private feedLine(c: string): void {
    if (this.startsWithLine(c)) this.dropStart()
    this.line += c
    this.matcher.feed(c)
    this.opening.feed(c)
    const { opening } = this.opening
    if (opening === 'note') this.dropNote(this.line)
    else if (opening === 'narrator') this.dropLabel()
    else if (opening === 'player') this.dropPlayer()
    else if (opening === 'prose' && !this.matcher.isOpen && !this.isOnlyMarks) this.passHeld()
  }

  /** Whether only marks follow what was dropped: the full stop after a note. */
  private get isOnlyMarks(): boolean {
    return this.isRest && !/[\p{L}\p{N}]/u.test(this.line)
  }

  /** Whether the line so far is the player's, and a new sentence begins. */
  private startsWithLine(c: string): boolean {
    const { whole } = this.matcher
    if (whole === undefined || this.hasProse || /\s/.test(c)) return false
    return this.known.sent.includes(whole) && NEXT_SENTENCE.test(this.line + c)
  }

  private dropStart(): void {
    this.drop()
    this.startLine(true)
  }

  /** Whether a character after a dropped label or note is only its end. */
  private belongsToLabel(c: string): boolean {
    if (/[*_]/.test(c) && this.openMarks > 0) this.openMarks--
    else if (/[ \t\r]/.test(c)) this.openMarks = 0
    else return false
    return true
  }

  private completeLine(): void {
    const kind = this.kindOfLine()
    if (kind === 'prose') this.passHeld()
    if (kind === 'echo') this.dropLine()
    this.isInProse = false
    this.endLine(kind === 'blank' ? this.line : '')
  }

  /** What the line is if it ends here. */
  private kindOfLine(): 'blank' | 'echo' | 'prose' {
    if (this.line.trim() === '') return 'blank'
    return this.opening.isBareLabel || this.matcher.isWhole || this.isOnlyMarks ? 'echo' : 'prose'
  }

  /** Goes on to the next line. `blank` is what a blank one has before its end. */
  private endLine(blank: string): void {
    this.gap += `${blank}\n`
    this.breaks.now++
    this.breaks.most = Math.max(this.breaks.most, this.breaks.now)
    this.startLine(false)
  }

  private startLine(isRest: boolean): void {
    this.line = ''
    this.isRest = isRest
    this.opening = new OpeningReader(this.names, this.hasDroppedInGap)
    this.matcher = this.newMatcher()
  }

  private newMatcher(): LineMatcher {
    const { first, afterNote } = this.known
    const more = [...(this.hasProse ? [] : first), ...(this.hasDroppedInGap ? afterNote : [])]
    return new LineMatcher(more.length > 0 ? [...NOTES, ...more] : NOTES)
  }

  private passHeld(): void {
    if (!this.hasProse) this.dropMark()
    this.output += this.joint() + this.line
    this.isInProse = true
    this.hasProse = true
    this.gap = ''
    this.hasDroppedInGap = false
    this.breaks = { now: 0, most: 0 }
  }

  private dropMark(): void {
    const bare = this.line.replace(PLAYER_MARK, '')
    if (bare === this.line) return
    this.line = bare
    this.dropped = true
  }

  /** What stands between the last prose and this line. */
  private joint(): string {
    if (!this.hasDroppedInGap) return this.gap
    return this.hasProse ? '\n'.repeat(Math.min(2, this.breaks.most)) : ''
  }

  private drop(): void {
    if (!this.hasDroppedInGap) {
      this.noteGuard = new LoopGuard([])
      this.noteLoops = 0
    }
    this.dropped = true
    this.hasDroppedInGap = true
    this.breaks.now = 0
  }

  private dropLine(): void {
    const { isBareLabel } = this.opening
    if (isBareLabel) this.dropPlayer()
    else this.drop()
    if (this.droppedText) this.droppedText.until = 'paragraph'
  }

  private dropNote(opening: string): void {
    this.drop()
    const until = opening.includes('[') ? 'bracket' : 'line'
    this.droppedText = { until, depth: 1, hasText: true }
  }

  private dropLabel(): void {
    this.openMarks = this.opening.openMarks
    this.dropStart()
  }

  /** The model plays the player: before any prose what it says is dropped, after it the reply ends. */
  private dropPlayer(): void {
    this.drop()
    if (this.hasProse) this.isEnded = true
    else this.droppedText = { until: 'line', depth: 0, hasText: false }
  }

  private skip(dropped: DroppedText, c: string): void {
    this.watchNotes(c)
    if (c === '\n') this.skipLineEnd(dropped)
    else if (/\S/.test(c)) dropped.hasText = true
    if (dropped.until !== 'bracket') return
    if (c === '[') dropped.depth++
    if (c === ']') dropped.depth--
    if (dropped.depth > 0) return
    this.droppedText = null
    this.startLine(true)
  }

  /** A note may stand twice before prose. A reply that goes on to repeat it has none. */
  private watchNotes(c: string): void {
    if (this.noteGuard.push(c) === null) return
    this.noteGuard = new LoopGuard([])
    this.isEnded = ++this.noteLoops === 2
  }

  private skipLineEnd(dropped: DroppedText): void {
    const isBlank = !dropped.hasText
    if (dropped.until === 'line' ? dropped.hasText : isBlank) {
      this.droppedText = null
      if (isBlank) this.breaks.now = 1
      this.endLine('')
    }
    // The label of the player alone: the next lines are what it says.
    if (dropped.until === 'line') dropped.until = 'paragraph'
    dropped.hasText = false
  }
}

import type { Prompt } from '../prompt/prompt.ts'
import { DroppedText, RepeatedNotes } from './dropped-text.ts'
import { LineGap } from './line-gap.ts'
import { foldedLines, foldedSentences, LineMatcher } from './line-matcher.ts'
import { OpeningReader } from './line-opening.ts'
import { NOTE_LINES } from './note-openings.ts'
import { sentEchoes, typedEchoes } from './player-echoes.ts'

/** What a reply may repeat. */
export interface Echoes {
  /** The player's lines as they were sent. */
  playerLines: readonly string[]
  /** Our notes and instructions as they were sent. */
  notes?: readonly string[]
  /** The names of the story's people: a label that is one of them is prose. */
  names?: readonly string[]
}

const NOTES = foldedLines(NOTE_LINES)

/** The end of a sentence, and the first character of the next one. */
const NEXT_SENTENCE =
  /[.!?…]["'”’»*_)]*\s+[^\s\p{Ll}.,;:!?…)–—-]$|[。！？](?:["”’»」』）]*\s+)?[^\s\p{Ll}"”’»」』）。！？]$/u

/** The mark of the player's lines. Small models copy it, before the first line of a reply or before all of them. */
const PLAYER_MARK = /^\s*> ?(?=\s*[^\s>*_#-]|$)/

/**
 * A shorter line of the player, such as "You wait.", is also a natural beginning of prose. In bytes without marks and spaces,
 * because characters of denser scripts take more bytes.
 */
const MIN_REPEATED_START = 9

/**
 * Drops what a reply repeats of its prompt: lines that begin like our notes, labels of who speaks, and the player's line as
 * the first line or its beginning (docs/rules.md 4.14). The result does not depend on how the reply is split into pieces. A
 * line is held back only as long as it can still be dropped.
 */
export class EchoFilter {
  /** Whether the model began to play the player, or repeats notes over and over: everything from there is dropped. */
  isEnded = false
  /** Whether anything was dropped. */
  dropped = false
  private output = ''
  private isInProse = false
  private hasProse = false
  /** Whether the first line had the mark of the player's lines. */
  private isMarked = false
  private droppedText: DroppedText | null = null
  /** Watches what was dropped since the last prose. */
  private repeatedNotes = new RepeatedNotes()
  /** The line so far, while it can still be dropped. */
  private line = ''
  private opening: OpeningReader
  private matcher: LineMatcher
  /** Whether something was dropped from the front of the line. */
  private isRest = false
  /** Marks of emphasis that belong to a dropped label. */
  private openMarks = 0
  private gap = new LineGap()
  private readonly names: ReadonlySet<string>
  /** Lines that count before the first prose, and right after something that was dropped; and those of the player as they were sent. */
  private readonly known: { first: string[]; afterNote: string[]; sent: string[] }

  constructor({ playerLines, notes = [], names = [] }: Echoes) {
    this.names = new Set(names.map((name) => name.toLowerCase()))
    const sent = sentEchoes(playerLines)
    this.known = {
      first: [...sent, ...typedEchoes(playerLines)],
      afterNote: [...foldedLines(notes), ...foldedSentences(notes)],
      sent: sent.filter((line) => new TextEncoder().encode(line).length >= MIN_REPEATED_START),
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
    if (kind === 'blank' && !this.gap.hasDropped) this.output += this.gap.shown(!this.hasProse) + this.line
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
    else if (opening === 'player') this.dropPlayer('line')
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
    this.gap.addLine(blank)
    this.startLine(false)
  }

  private startLine(isRest: boolean): void {
    this.line = ''
    this.isRest = isRest
    this.opening = new OpeningReader(this.names, this.gap.hasDropped)
    this.matcher = this.newMatcher()
  }

  private newMatcher(): LineMatcher {
    const { first, afterNote } = this.known
    const more = [...(this.hasProse ? [] : first), ...(this.gap.hasDropped ? afterNote : [])]
    return new LineMatcher(more.length > 0 ? [...NOTES, ...more] : NOTES)
  }

  private passHeld(): void {
    if (!this.hasProse || this.isMarked) this.dropMark()
    this.output += this.gap.shown(!this.hasProse) + this.line
    this.isInProse = true
    this.hasProse = true
    this.gap = new LineGap()
  }

  private dropMark(): void {
    const bare = this.line.replace(PLAYER_MARK, '')
    if (bare === this.line) return
    this.line = bare
    this.isMarked = true
    this.dropped = true
  }

  private drop(): void {
    if (!this.gap.hasDropped) this.repeatedNotes = new RepeatedNotes()
    this.dropped = true
    this.gap.drop()
  }

  private dropLine(): void {
    if (this.opening.isBareLabel) this.dropPlayer('paragraph')
    else this.drop()
  }

  private dropNote(opening: string): void {
    this.drop()
    const until = opening.includes('[') ? 'bracket' : 'line'
    this.droppedText = new DroppedText(until, { hasText: true })
  }

  private dropLabel(): void {
    this.openMarks = this.opening.openMarks
    this.dropStart()
  }

  /** The model plays the player: before any prose what it says is dropped, after it the reply ends. */
  private dropPlayer(until: 'line' | 'paragraph'): void {
    this.drop()
    if (this.hasProse) this.isEnded = true
    else this.droppedText = new DroppedText(until, { hasText: false })
  }

  private skip(dropped: DroppedText, c: string): void {
    if (this.repeatedNotes.push(c)) this.isEnded = true
    const end = dropped.feed(c)
    if (end === null) return
    this.droppedText = null
    if (end === 'blank line') this.gap.drop(1)
    if (end === 'bracket') this.startLine(true)
    else this.endLine('')
  }
}

/** What a reply to a prompt may repeat. `people` are the story's, besides those of its cards. */
export function echoesOf(
  { parts, cards }: Pick<Prompt, 'parts' | 'cards'>,
  people: readonly string[],
): Echoes {
  const waiting = parts.slice(parts.findLastIndex(({ role }) => role === 'assistant') + 1)
  return {
    playerLines: waiting.flatMap(({ label, text }) => (label === 'history' ? [text] : [])),
    notes: parts.flatMap(({ label, text }) => (label === 'history' ? [] : [text])),
    names: [...people, ...cards.map(({ name }) => name)],
  }
}

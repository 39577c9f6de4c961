import {
  closedAloneBy,
  closes,
  isEveryday,
  isPartialMark,
  MARK,
  MAX_PARTIAL,
  openedBy,
  type Thought,
  type TokenKind,
  tokenKind,
} from './marks.ts'

/** A part of a reply. `recast`: all text so far was thought. */
export type FilteredPart = { kind: 'text' | 'thinking'; text: string } | { kind: 'recast' }

/**
 * Speaker: the narrator before (`start`) or after (`text`) the first visible text, somebody `other`, or nobody until
 * the word after a token (`role`); a thought, and who speaks after it; or nobody any more.
 */
type Speaker = 'start' | 'text' | 'other' | 'role' | 'ended' | { thought: Thought; after: 'start' | 'text' }

/** The end of a sentence, or nothing, before a mark on its line. */
const BETWEEN_SENTENCES = /(?:^|[.!?…。！？>\]▷])["'”’»)*_]*\s*$/
/** Text that goes on with the sentence around a mark. */
const GOES_ON = /^[ \t]*[\p{Ll},.;:!?)"'”’`]/u
/** Blanks after a mark after which its line counts as ended. */
const MAX_BLANK = 40
/** A word for a speaker and the character after it, which shows that the word is whole. */
const ROLE = /([a-z]{1,12})(:|(?=[^a-z:]))/iy

/**
 * Takes thoughts and template tokens out of a reply, however it is split into pieces. A reply ends at the first token after
 * its prose; before that, what tokens give to the narrator is read on, and what they give to others is left out.
 */
export class MarkFilter {
  private held = ''
  /** The line before it, or the end of a long one. */
  private line = '\n'
  private speaker: Speaker = 'start'

  get isEnded(): boolean {
    return this.speaker === 'ended'
  }

  *push(piece: string): Generator<FilteredPart> {
    yield* this.read(this.held + piece, false)
  }

  /** Ends the reply, without a token that the end cut short: `<|im_`. */
  *end(): Generator<FilteredPart> {
    const isCut = /^<[|｜]./.test(this.held) && tokenKind(this.held) === null
    yield* this.read(isCut ? '' : this.held, true)
  }

  private *read(piece: string, isEnd: boolean): Generator<FilteredPart> {
    const text = this.line + piece + (isEnd ? '\n' : '')
    const end = text.length - (isEnd ? 1 : 0)
    let at = this.line.length
    while (!this.isEnded) {
      const start = this.speaker === 'role' ? this.readRole(text, at, end) : at
      if (start === null) break
      const { from, mark } = this.findMark(text, start, isEnd)
      yield* this.pass(text.slice(start, Math.min(from, end)))
      at = Math.min(from, end)
      if (mark === null) break
      at += mark.length
      yield* this.take(mark)
    }
    this.held = text.slice(at, end)
    this.line = text.slice(Math.max(0, at - MAX_PARTIAL), at)
  }

  /** The next mark that counts, or null and where text begins that may become one. */
  private findMark(text: string, start: number, isEnd: boolean): { from: number; mark: string | null } {
    MARK.lastIndex = start
    for (let found = MARK.exec(text); found; found = MARK.exec(text)) {
      const { 0: mark, index: from } = found
      const isPartial =
        text.length - from <= MAX_PARTIAL && isPartialMark(text.slice(from), text.charAt(from - 1))
      const counts = this.counts(mark, text, from, isEnd)
      if (!isEnd && (counts === null || isPartial)) return { from, mark: null }
      if (counts !== false) return { from, mark }
    }
    return { from: isEnd ? text.length : startOfPartial(text, start), mark: null }
  }

  /** Null while what follows decides. */
  private counts(mark: string, text: string, from: number, isEnd: boolean): boolean | null {
    const { speaker } = this
    if (typeof speaker === 'object') return closes(mark, speaker.thought)
    const isOpening = openedBy(mark) !== null
    const isKnown = isOpening || closedAloneBy(mark) !== null || tokenKind(mark) !== null
    if (!isKnown || !isEveryday(mark) || isTemplate(tokenKind(mark))) return isKnown
    const line = text.slice(Math.max(0, from - MAX_PARTIAL), from).replace(/^[\s\S]*\n/, '')
    if (isOpening) return BETWEEN_SENTENCES.test(line)
    const isMentioned = line.toLowerCase().includes(mark.replace('/', '').toLowerCase())
    if (isMentioned || /["'“‘`]$/.test(line)) return false
    if (!/\S\s+$/.test(line)) return true
    const after = text.slice(from + mark.length, from + mark.length + MAX_BLANK)
    if (!isEnd && after.length < MAX_BLANK && /^[ \t]*$/.test(after)) return null
    return !GOES_ON.test(after)
  }

  /** Reads the word for a speaker; returns where the text continues, or null if the word is not complete. */
  private readRole(text: string, at: number, end: number): number | null {
    if (at === end) return null
    ROLE.lastIndex = at
    const role = ROLE.exec(text)
    if (role === null && text.length - at <= 12 && /^[a-z]{1,12}$/i.test(text.slice(at))) return null
    const kind = tokenKind(role?.[1] ?? '')
    this.speaker = kind === 'other' ? 'other' : 'start'
    return role && kind ? at + role[0].length : at
  }

  private *pass(text: string): Generator<FilteredPart> {
    if (text === '') return
    const { speaker } = this
    if (typeof speaker === 'object') yield { kind: 'thinking', text }
    else if (speaker !== 'other') {
      if (text.trim() !== '') this.speaker = 'text'
      yield { kind: 'text', text }
    }
  }

  private *take(mark: string): Generator<FilteredPart> {
    const { speaker } = this
    if (typeof speaker === 'object') {
      this.speaker = speaker.after
      if (isTemplate(tokenKind(mark))) this.takeToken(tokenKind(mark))
      return
    }
    const thought = openedBy(mark)
    const token = tokenKind(mark)
    if (thought) this.speaker = { thought, after: speaker === 'text' ? 'text' : 'start' }
    else if (closedAloneBy(mark)) {
      if (speaker === 'text') yield { kind: 'recast' }
      this.speaker = 'start'
    } else if (isTemplate(token)) this.takeToken(token)
  }

  private takeToken(kind: TokenKind | null): void {
    if (this.speaker === 'text') this.speaker = 'ended'
    else if (kind === 'role') this.speaker = 'role'
    else if (kind === 'other') this.speaker = 'other'
    else if (kind === 'narrator') this.speaker = 'start'
  }
}

function isTemplate(kind: TokenKind | null): boolean {
  return kind !== null && kind !== 'wrapper'
}

/** The start of a suffix that may become a mark; the length of the text if there is none. */
function startOfPartial(text: string, from: number): number {
  for (let i = Math.max(from, text.length - MAX_PARTIAL); i < text.length; i++)
    if (isPartialMark(text.slice(i), text.charAt(i - 1))) return i
  return text.length
}

import { foldedLine, foldedLines, isPlayerLine, type KnownTexts } from './known-texts.ts'
import { mayBeNote, NOTE_LINES, noteExtent } from './note-openings.ts'
import { bareRole, isLabelled, mayBeRole, type RoleLabel, roleLabel } from './role-labels.ts'
import { readBlockLine } from './state-block.ts'

export interface Context {
  hasProse: boolean
  /** The line follows text of it that was dropped. */
  isRest: boolean
  /** A note was dropped since the last prose. */
  isAfterNote: boolean
  /** The beginning of the line of prose before. */
  line: string
  /** The first line had the mark of the player's lines. */
  isMarked: boolean
  /** The fence of the story's own that is open; '' for none. */
  fence: string
  /** The text follows prose on its line, and may be a state block. */
  isMidLine: boolean
  /** A state block is open. */
  isInBlock: boolean
  /** A state block ended without its closing fence. */
  owesFence: boolean
}

/** Show the line from `start` on. */
export interface ProseVerdict extends Partial<Pick<Context, 'isMarked' | 'fence'>> {
  kind: 'prose'
  start?: number
}

type LineVerdict =
  | ProseVerdict
  | { kind: 'blank' }
  /** Drop the first `length` characters and read the rest of the line anew. */
  | { kind: 'drop'; length: number; isNote?: boolean; isInBlock?: boolean }
  /** Drop a note of ours, up to its closing bracket or the end of its line. */
  | { kind: 'note'; extent: 'bracket' | 'line' }
  /** The model plays the player from here on. */
  | { kind: 'cut' }

/** Characters after which a line is decided, whether or not a sentence has ended. */
const MAX_HELD = 240
/** Characters of a line that follows a label and are looked at, with the blank lines before it. */
const MAX_NEXT = 120

/** The end of a sentence on its line, before the first character of the next one. */
const SENTENCE_END =
  /[.!?…]["'”’»*_)\]]*\s+(?=[^\s\p{Ll}.,;:!?…)–—-])|[。！？](?:["”’»」』）]*\s+)?(?=[^\s\p{Ll}"”’»」』）。！？])/gu
/** The mark of the player's lines. Small models copy it, before the first line of a reply or before all of them. */
const PLAYER_MARK = /^\s*> ?(?=\s*[^\s>*_#-]|$)/
const FENCE = /^[ \t]*(`{3,}|~{3,})([^`~\n]*)$/

const NOTES = new Set(foldedLines(NOTE_LINES))

/**
 * Decides about the line at the start of a text, without the blanks before it, from its first sentence, its label and the
 * line after it. Null if what follows can change the decision. `isEnd`: nothing follows.
 */
export function readLine(
  text: string,
  isEnd: boolean,
  context: Context,
  known: KnownTexts,
): LineVerdict | null {
  const end = text.indexOf('\n')
  const line = end < 0 ? text : text.slice(0, end)
  const isWhole = end >= 0 || isEnd
  if (context.fence !== '') return readFenced(line, isWhole, context)
  if (known.isPath !== null) {
    const isEmpty = context.isMidLine && /^\{\s*\}/.test(text)
    const block = isEmpty ? null : readBlockLine(text, isEnd, context.isInBlock, known.isPath)
    if (block === undefined) return null
    if (block && line !== '') return { kind: 'drop', length: block.length, isInBlock: block.isOpen }
    if (context.isMidLine) return { kind: 'prose' }
  }
  if (line === '') return { kind: 'blank' }
  const head = headOf(line, isWhole, context, known)
  if (head === null) return mayBeOurs(line, context, known) ? null : { kind: 'prose' }
  const isWholeLine = isWhole && head === line
  const fence = isWholeLine ? FENCE.exec(line) : null
  // A fence after a block that was left open closes it, unless more follows.
  if (fence && context.owesFence && !/\S/.test(text.slice(line.length)))
    return isEnd ? { kind: 'drop', length: line.length } : null
  if (fence) return { kind: 'prose', fence: fence[1] ?? '' }
  if (context.isRest && isWholeLine && !/[\p{L}\p{N}]/u.test(line))
    return { kind: 'drop', length: line.length }
  const extent = noteExtent(head, context.isAfterNote, known)
  if (extent) return { kind: 'note', extent }
  const isNote = NOTES.has(foldedLine(line))
  const isBareRole = !context.hasProse && bareRole(line) !== null
  if (isWholeLine && (isNote || isBareRole)) return { kind: 'drop', length: line.length, isNote }
  const label = roleLabel(line.slice(0, MAX_HELD), known.names)
  if (label) return readLabelled(label, { text, end, isEnd, isWhole }, context, known)
  if (isSaidBack(head, isWholeLine, context, known)) return { kind: 'drop', length: head.length }
  const mark = !context.hasProse || context.isMarked ? PLAYER_MARK.exec(line) : null
  if (mark) return { kind: 'prose', start: mark[0].length, isMarked: true }
  return { kind: 'prose' }
}

/** A line inside the story's own fence: prose, whatever it looks like. */
function readFenced(line: string, isWhole: boolean, { fence }: Context): LineVerdict | null {
  if (!isWhole && /^[`~]*\s*$/.test(line)) return null
  const [, closing = '', label = ''] = FENCE.exec(line) ?? []
  const isClosed = isWhole && label.trim() === '' && closing.startsWith(fence)
  return { kind: 'prose', fence: isClosed ? '' : fence }
}

/** The first sentence of a line, or as many as may be the player's line; null while they have not ended. */
function headOf(line: string, isWhole: boolean, context: Context, known: KnownTexts): string | null {
  const shown = line.slice(0, MAX_HELD)
  const isQuote = /^\s*>/.test(line)
  let head = ''
  for (const { 0: end, index } of shown.matchAll(SENTENCE_END)) {
    const next = shown.slice(0, index + end.length)
    const mayGoOn = isQuote ? isPlayerLine(next, known, 1) : !context.hasProse && isBegunLine(next, known)
    if (!mayGoOn) return head || next
    head = isQuote ? next : ''
  }
  if (!isWhole && line.length < MAX_HELD) return null
  return head !== '' && !isPlayerLine(shown, known, 1) ? head : shown
}

/** False once the beginning of a line shows that it is prose, whatever follows. */
function mayBeOurs(line: string, context: Context, known: KnownTexts): boolean {
  if (context.isRest || context.isAfterNote || /^\s*(?:[^\p{L}\p{N}"“”'‘«„—…¿¡]|$)/u.test(line)) return true
  if (mayBeNote(line, known) || mayBeRole(line)) return true
  const folded = foldedLine(line)
  const isBegun = (one: string) => one.startsWith(folded)
  return NOTES.values().some(isBegun) || (!context.hasProse && known.lines.values().some(isBegun))
}

function isBegunLine(text: string, { lines }: KnownTexts): boolean {
  const folded = foldedLine(text)
  return lines.values().some((line) => line !== folded && line.startsWith(folded))
}

/** True for an echo: the line of the player, quoted or as the first words, and a further line of a note. */
function isSaidBack(head: string, isWholeLine: boolean, context: Context, known: KnownTexts): boolean {
  if (/^\s*>/.test(head) && isPlayerLine(head, known)) return true
  const folded = foldedLine(head)
  if (context.isAfterNote && known.notes.has(folded)) return true
  return !context.hasProse && (isWholeLine ? known.lines : known.longLines).has(folded)
}

interface Surroundings {
  text: string
  /** Offset of the end of the line; -1 if it has not arrived. */
  end: number
  isEnd: boolean
  isWhole: boolean
}

/** A line that begins with the label of the player or of the narrator. In a run of labelled lines it is prose: a play, a letter, a terminal. */
function readLabelled(
  { role, length, said }: RoleLabel,
  { text, end, isEnd, isWhole }: Surroundings,
  context: Context,
  known: KnownTexts,
): LineVerdict | null {
  const prose: LineVerdict = { kind: 'prose' }
  if (role === 'narrator' && context.hasProse) return prose
  if (!context.hasProse && /^\p{Ll}/u.test(said)) return prose
  const isLong = (end < 0 ? text.length : end) >= MAX_HELD
  const next = isLong ? '' : isWhole ? nextLine(text.slice(end < 0 ? text.length : end + 1), isEnd) : null
  if (next === null) return null
  const nextRole = roleLabel(next, known.names)?.role ?? bareRole(next)
  const isRun = nextRole === null && (isLabelled(context.line) || isLabelled(next))
  if (role === 'narrator') return isRun ? prose : { kind: 'drop', length }
  const isLine = !isLong && (nextRole === 'narrator' || isPlayerLine(said, known))
  if (!context.hasProse) return isLine ? { kind: 'drop', length: length + said.length } : prose
  return isRun ? prose : { kind: 'cut' }
}

/** The beginning of the next line that is not blank, as much as shows its label; '' for none, null while it has not arrived. */
function nextLine(text: string, isEnd: boolean): string | null {
  const shown = text.slice(0, MAX_NEXT).trimStart()
  const [line = ''] = shown.split('\n', 1)
  const isLabelShown = /^[^:]{40}|: +\S/.test(line)
  return isEnd || text.length >= MAX_NEXT || line.length < shown.length || isLabelShown ? line : null
}

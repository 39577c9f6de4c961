import { DICE_NOTE } from '../checks/roll-words.ts'
import { ASIDE } from '../memory.ts'
import {
  AUTHORS_NOTE,
  BEGIN_REQUEST,
  CONTINUE_REQUEST,
  EARLIER,
  EARLIER_PASSAGE,
  FORMER_PASSAGE,
  FORMERLY,
  LORE,
  PLOT_HEADING,
  REQUEST_OPENINGS,
  STEERING,
  SUMMARY_HEADING,
} from '../prompt/phrases.ts'
import { GUIDE_TITLE } from '../world/prompt/guide.ts'
import { LIVE_VALUES, SUBJECT } from '../world/prompt/live-values.ts'
import { RECORDER_OPENING } from '../world/recorder/question.ts'
import type { KnownTexts } from './known-texts.ts'

const SUBJECTS = Object.values(SUBJECT).map((subject) => `${subject}:`)

/** Beginnings of our notes to the model, those of older versions too. */
const NOTE_OPENINGS: readonly string[] = [
  LORE,
  EARLIER,
  EARLIER_PASSAGE,
  FORMERLY,
  FORMER_PASSAGE,
  AUTHORS_NOTE,
  LIVE_VALUES,
  RECORDER_OPENING,
  ASIDE,
  DICE_NOTE,
  STEERING,
  ...SUBJECTS.map((subject) => `[${subject}`),
  ...REQUEST_OPENINGS,
  // The notes about state blocks, which older versions sent.
  '[Not accepted from your last block.',
  '[Tell what happens after this,',
  // The name of the player's values in the paths, and whose turn it is.
  '[player:',
  "[player's turn",
  // The rule not to end the story, and where the block stands, said back.
  'end the story',
  'end your reply',
  // Remarks about the reply.
  '(note:',
  '[note:',
  '(ooc',
  '[ooc',
].map(folded)

/** Names of our notes in brackets, also after other words. */
const NOTE_NAMES = [
  'state_delta',
  LIVE_VALUES.slice(1).toLowerCase(),
  'end your reply',
  'end of your reply',
  'end of your own reply',
]

/** Beginnings of further lines of the live values: they count after a note alone. */
const SUBJECT_OPENINGS = SUBJECTS.map(folded)

/** Lines of ours that are whole: a line of prose may begin like one. */
export const NOTE_LINES: readonly string[] = [
  LORE,
  PLOT_HEADING,
  SUMMARY_HEADING,
  GUIDE_TITLE,
  BEGIN_REQUEST,
  CONTINUE_REQUEST,
]

/** Marks that may stand before an opening: quotes and emphasis of Markdown. */
const DECORATION = /^[\s>*_#]{0,8}/
/** An emphasised label of the model's own: `**At the moment:** World lore:`. */
const OWN_LABEL = /^[\s>#]*[*_]{1,3}[a-z' ]{1,24}(?:[*_]{1,3}:|:[*_]{1,3}) ?/
/** The name of a note in the model's own words: `[Fix the state_delta`, `[End of World state`. */
const OWN_NOTE = new RegExp(`^\\[(?:[a-z']{1,12} ){0,4}(?:${NOTE_NAMES.join('|')})`)
/** A line of live values without its opening line: `You: hp 50/100 (steady), nerve 3/10.` */
const VALUE = '[^,:;]{1,60} (?:-?\\d+(?:\\.\\d+)?(?:/\\d+)?(?: \\([^)]*\\))?|yes|no)'
const VALUES = new RegExp(`^${VALUE}(?:, ${VALUE})*[.\\]"”]*$`)
const VALUE_LABELS = ['world:', 'you:', 'player:', 'flags:']

/** Extent of a note at the start of a line: to a closing bracket in its paragraph, or to the end of the line. */
export function noteExtent(line: string, isAfterNote: boolean, known: KnownTexts): 'bracket' | 'line' | null {
  const text = line.toLowerCase().replaceAll('’', "'")
  const bare = text.replace(DECORATION, '').replace(/^\[["“]/, '[')
  const opening = [...NOTE_OPENINGS, ...known.openings].some(
    (one) => bare.startsWith(one) || text.replace(OWN_LABEL, '').startsWith(one),
  )
  if (opening || OWN_NOTE.test(bare)) return /^[[(]/.test(bare) ? 'bracket' : 'line'
  const [label = '', values = ''] = /^([^:]*:) (.*)$/.exec(bare.trim())?.slice(1) ?? []
  const isSubject = VALUE_LABELS.includes(label) || known.names.has(label.replace(/ \(npc\.[\w-]+\):$/, ''))
  const isValues = known.isPath !== null && isSubject && VALUES.test(values)
  const isMore = isAfterNote && SUBJECT_OPENINGS.some((one) => bare.startsWith(one))
  return isValues || isMore ? 'line' : null
}

export function mayBeNote(line: string, { names, openings, isPath }: KnownTexts): boolean {
  const text = line.trimStart().toLowerCase().replaceAll('’', "'")
  const people = isPath ? [...VALUE_LABELS, ...names.values().map((name) => `${name} (npc.`)] : []
  return [...NOTE_OPENINGS, ...openings, ...people].some(
    (one) => one.startsWith(text) || text.startsWith(one),
  )
}

/** The end of the first bracket of a text; -1 if it is not closed. */
export function bracketEnd(text: string): number {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    if (/[[(]/.test(text.charAt(i))) depth++
    if (/[\])]/.test(text.charAt(i)) && --depth === 0) return i + 1
  }
  return -1
}

function folded(opening: string): string {
  return opening.trim().toLowerCase()
}

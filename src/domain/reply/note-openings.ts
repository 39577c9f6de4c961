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
  SUMMARY_HEADING,
} from '../prompt/phrases.ts'
import { GUIDE_TITLE } from '../world/prompt/guide.ts'
import { LIVE_VALUES, SUBJECT } from '../world/prompt/live-values.ts'
import { RECORDER_OPENING } from '../world/recorder/question.ts'

const SUBJECTS = Object.values(SUBJECT).map((subject) => `${subject}:`)

/** How our notes to the model begin. One in brackets goes on to its closing bracket, any other to the end of its line. */
export const NOTE_OPENINGS: readonly string[] = [
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
  ...SUBJECTS.map((subject) => `[${subject}`),
  // The notes about state blocks, which older versions sent.
  '[Not accepted from your last block.',
  '[Tell what happens after this',
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

/** What names our notes in brackets, also after other words. */
export const NOTE_NAMES: readonly string[] = [
  'state_delta',
  LIVE_VALUES.slice(1).toLowerCase(),
  'end your reply',
  'end of your reply',
  'end of your own reply',
]

/** How further lines of the live values begin: they count after a note alone. */
export const SUBJECT_OPENINGS: readonly string[] = SUBJECTS.map(folded)

/** Lines of ours that are whole: a line of prose may begin like one. */
export const NOTE_LINES: readonly string[] = [
  LORE,
  PLOT_HEADING,
  SUMMARY_HEADING,
  GUIDE_TITLE,
  BEGIN_REQUEST,
  CONTINUE_REQUEST,
]

/** The words with which chats name who speaks: the narrator, and the player. `bare` ones count alone on their line. */
export const ROLE_LABELS = {
  narrator: ['assistant', 'narrator', 'system', 'ai', 'response', 'model', 'your turn'],
  player: ['user', 'player', 'human'],
  bare: ['you'],
} as const

function folded(opening: string): string {
  return opening.trim().toLowerCase()
}

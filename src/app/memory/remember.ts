import type { Reader } from '../../db/database.ts'
import {
  countSettledPassages,
  listNextPassages,
  listPassages,
  listSettledPassages,
  passagesHash,
  type SourcePassage,
} from '../../db/tables/actions/passages.ts'
import {
  findAdventure,
  findAnswers,
  getAdventure,
  getEpoch,
  updateSummary,
} from '../../db/tables/adventures.ts'
import {
  coveredByMemories,
  findStaleMemory,
  insertMemory,
  listMemoryTexts,
  listUnforgotten,
  listWaitingPassages,
  updateMemory,
  updateMemoryCursor,
} from '../../db/tables/memory/memories.ts'
import { findMemoryFailure, upsertMemoryFailure } from '../../db/tables/memory/memory-failures.ts'
import { findSummary, insertSummary } from '../../db/tables/memory/summaries.ts'
import { getSettings } from '../../db/tables/settings.ts'
import type { Adventure } from '../../domain/adventure.ts'
import {
  isAboutLater,
  isLongerThanMemory,
  MEMORY_EVERY,
  memoryFrom,
  memoryTask,
  memoryTokens,
  overCapacity,
  passagesToQuote,
  ruleAgainstCopies,
  SUMMARY_EVERY,
  saysNothingNew,
  summaryTask,
  summaryWords,
  TOKENS_PER_WORD,
  tokensToQuote,
} from '../../domain/memory.ts'
import { filledPassage } from '../../domain/prompt/filled-texts.ts'
import type { Settings } from '../../domain/settings.ts'
import { printError } from '../../lib/print.ts'
import { isBlank } from '../../lib/text.ts'
import type { Deps } from '../deps.ts'
import { askModel, canAsk } from '../model/ask-model.ts'
import { type CallRank, wasPreempted } from '../runtime/call-queue.ts'
import { embedPending, type ReportProgress } from './embed-memories.ts'
import { questionAfterStory } from './question-after-story.ts'

/** Memories made in one run, so that an imported story catches up step by step. */
const MAX_PER_RUN = 5
/** Turns for which a story pauses after its first failure, its second, and every later one. */
const PAUSES = [1, 2, 4]
/** The most passages since a memory or the last summary that are looked at, and the most memories that a new one is made from. */
const MAX_UNCOVERED = 400
const MAX_NOTES = 40

interface Remembering {
  adventureId: number
  signal: AbortSignal
  report: ReportProgress
  /** Time limit. */
  seconds: number
}

interface MemoryWork extends Omit<Remembering, 'adventureId'> {
  rank: CallRank
  deps: Deps
  adventure: Adventure
  settings: Settings
}

/**
 * Makes the memories and the summary that are due, while the player reads. The story itself shows what is due, so a restart
 * loses nothing. Throws only when a turn preempts it: a failure is stored for the player to see, and followed by a pause.
 */
export async function remember(deps: Deps, asked: Remembering): Promise<void> {
  const { adventureId, signal, report } = asked
  await whileNotPaused(deps, { ...asked, rank: 'background' }, async (work) => {
    if (work.adventure.memory_bank_enabled) await makeMemories(work)
    if (work.adventure.auto_summarize) await makeSummary(work)
    if (work.adventure.memory_bank_enabled) await embedPending(deps, adventureId, signal, report)
  })
}

/** The most passages that one memory is made of without quoting them. */
const MAX_UNQUOTED = 4 * MEMORY_EVERY

type Overdue = 'memory' | 'summary'

/**
 * Work for which there was no time between the turns, so that the next one waits for it; null if there is none. A turn does not
 * wait for another model, which has to be loaded, or for a story that has been without memories or summary for long.
 */
export function findOverdue(reader: Reader, adventureId: number): Overdue | null {
  const settings = getSettings(reader)
  const adventure = findAdventure(reader, adventureId)
  if (!adventure || !canAsk(settings) || settings.summary_model !== '') return null
  const isLate = (covered: number, every: number) => {
    const waiting = countSettledPassages(reader, adventureId, covered, 4 * every + 1)
    return waiting >= 2 * every && waiting <= 4 * every
  }
  if (
    adventure.memory_bank_enabled &&
    isLate(coveredByMemories(reader, adventureId), MEMORY_EVERY) &&
    listUnquoted(reader, adventureId).length > 0
  )
    return 'memory'
  const covered = findSummary(reader, adventureId)?.covers ?? -1
  return adventure.auto_summarize && isLate(covered, SUMMARY_EVERY) ? 'summary' : null
}

/** Makes what is overdue, in at most so many seconds. Never throws: a failure is stored, and followed by a pause. */
export async function rememberOverdue(
  deps: Deps,
  overdue: Overdue,
  { adventureId, seconds, signal }: Omit<Remembering, 'report'>,
): Promise<void> {
  const late = AbortSignal.timeout(1_000 * seconds)
  const limited = { adventureId, seconds, signal: AbortSignal.any([signal, late]), report: () => {} }
  await whileNotPaused(deps, { ...limited, rank: 'turn' }, async (work) => {
    if (overdue === 'summary') return makeSummary(work)
    const due = sourceOf(work, listUnquoted(deps.library.reader, adventureId), { isLast: true })
    if (due !== null) await makeMemory(work, due)
  })
  if (late.aborted && !signal.aborted) saveFailure(deps, adventureId, new Error('The model took too long.'))
}

async function whileNotPaused(
  deps: Deps,
  { adventureId, ...rest }: Remembering & Pick<MemoryWork, 'rank'>,
  make: (work: MemoryWork) => Promise<void>,
): Promise<void> {
  const { reader } = deps.library
  try {
    const settings = getSettings(reader)
    const adventure = findAdventure(reader, adventureId)
    if (!adventure || !canAsk(settings) || isPaused(deps, adventureId)) return
    await make({ deps, adventure, settings, ...rest })
    deps.library.write((tx) => upsertMemoryFailure(tx, adventureId, null))
  } catch (error) {
    // Being preempted by a turn is no failure: the work is repeated after the turn.
    if (wasPreempted(error)) throw error
    const isDeleted = findAdventure(reader, adventureId) === null
    if (!rest.signal.aborted && !isDeleted) saveFailure(deps, adventureId, error)
  }
}

/** The passages of one memory; `stale` is the id of the memory to replace, null for a new one. */
interface DueMemory {
  stale: number | null
  passages: [SourcePassage, ...SourcePassage[]]
  hash: string
  texts: string[]
  /** The last ones of the story's prompt before the newest, which are not quoted. */
  isLast: boolean
}

async function makeMemories(work: MemoryWork): Promise<void> {
  for (let made = 0; made < MAX_PER_RUN; made++) {
    const due = findDueMemory(work)
    if (due === null) return
    await makeMemory(work, due)
  }
}

async function makeMemory(work: MemoryWork, due: DueMemory): Promise<void> {
  const { passages } = due
  work.report(`Remembering passages ${passages[0].index} to ${passages.at(-1)?.index}`)
  const text = await askForMemory(work, due)
  if (isBlank(memoryFrom(text).text)) throw new Error('The model returned an empty memory.')
  saveMemory(work, due, text)
}

async function askForMemory(work: MemoryWork, { passages, texts, isLast }: DueMemory): Promise<string> {
  const tokens = memoryTokens(work.seconds, work.deps.speeds.writingSpeed(work.settings.endpoint_url))
  const askFor = (rule?: string) =>
    ask(work, memoryTask(isLast ? texts.length : texts, rule), tokens, isLongerThanMemory)
  const first = await askFor()
  if (!saysNothingNew(first, texts)) return first
  const second = await askFor(ruleAgainstCopies(texts))
  return isAboutLater(second, texts, laterTexts(work, passages)) ? first : second
}

function laterTexts({ deps, adventure }: MemoryWork, passages: DueMemory['passages']): string[] {
  const last = passages.at(-1)?.index ?? 0
  return listNextPassages(deps.library.reader, adventure.id, last, MAX_UNCOVERED).map(({ text }) => text)
}

function findDueMemory(work: MemoryWork): DueMemory | null {
  const { deps, adventure, settings, seconds } = work
  const { reader } = deps.library
  const stale = findStaleMemory(reader, adventure.id)
  if (stale)
    return sourceOf(work, listPassages(reader, adventure.id, stale.start, stale.end), { stale: stale.id })
  const six = listWaitingPassages(reader, adventure.id, MEMORY_EVERY)
  if (six.length < MEMORY_EVERY) return null
  const unquoted = settings.summary_model === '' ? listUnquoted(reader, adventure.id) : []
  const tokens = tokensToQuote(seconds, deps.speeds.readingSpeed(settings.endpoint_url))
  const count = passagesToQuote(filledTexts(work, six), tokens)
  // A slow server still has in its prompt what it could not read again in time.
  const isLast = unquoted.length === six.length || (count < six.length && unquoted.length > 0)
  return sourceOf(work, isLast ? unquoted : six.slice(0, count), { isLast })
}

function sourceOf(
  work: MemoryWork,
  [first, ...rest]: SourcePassage[],
  { stale = null, isLast = false }: Partial<Pick<DueMemory, 'stale' | 'isLast'>>,
): DueMemory | null {
  if (!first) return null
  const passages: DueMemory['passages'] = [first, ...rest]
  return { stale, passages, hash: passagesHash(passages), texts: filledTexts(work, passages), isLast }
}

/** All passages that wait for a memory, if they are at the end of the prompt and need not be quoted; else []. */
function listUnquoted(reader: Reader, adventureId: number): SourcePassage[] {
  const waiting = listWaitingPassages(reader, adventureId, MAX_UNQUOTED + 1)
  const { start } = getEpoch(reader, adventureId)
  const isShown = start !== null && (waiting[0]?.index ?? -1) >= start
  return isShown && waiting.length <= MAX_UNQUOTED ? waiting : []
}

function filledTexts({ deps, adventure }: MemoryWork, passages: readonly SourcePassage[]): string[] {
  const answers = () => findAnswers(deps.library.reader, adventure.id) ?? {}
  return passages.map((passage) => filledPassage(passage, answers).text)
}

function saveMemory({ deps, adventure, settings }: MemoryWork, due: DueMemory, reply: string): void {
  const { text, no_longer } = memoryFrom(reply)
  const adventureId = adventure.id
  const { stale, passages, hash } = due
  const [start, end] = [passages[0].index, passages.at(-1)?.index ?? passages[0].index]
  deps.library.write((tx) => {
    // The player may have changed a passage in the meantime, and a turn may have made the memory.
    const now =
      stale === null
        ? listWaitingPassages(tx, adventureId, passages.length)
        : listPassages(tx, adventureId, start, end)
    if (passagesHash(now) !== hash) return
    if (stale !== null) return updateMemory(tx, stale, { text, no_longer, source_hash: hash })
    insertMemory(tx, adventureId, { text, no_longer, source: { start, end, hash: hash } }, deps.now())
    updateMemoryCursor(tx, adventureId, passages.length)
    for (const id of overCapacity(listUnforgotten(tx, adventureId), settings.memory_bank_capacity))
      updateMemory(tx, id, { forgotten: true })
  })
}

/** The indexes of the last actions that the current summary and the next one cover. */
interface DueSummary {
  covered: number
  covers: number
  /** The passages since. */
  passages: SourcePassage[]
}

async function makeSummary(work: MemoryWork): Promise<void> {
  const { deps, adventure, report, seconds } = work
  const { reader } = deps.library
  const due = findDueSummary(reader, adventure)
  if (due === null) return
  report('Updating the summary')
  const { covered, covers } = due
  const notes = listMemoryTexts(reader, adventure.id, { after: covered, to: covers, limit: MAX_NOTES })
  const words = summaryWords(seconds, deps.speeds.writingSpeed(work.settings.endpoint_url))
  const task = summaryTask(adventure.story_summary, notes, words)
  const text = await ask(work, task, Math.round(words * TOKENS_PER_WORD))
  if (isBlank(text)) throw new Error('The model returned an empty summary.')
  saveSummary(deps, adventure, due, text)
}

function findDueSummary(reader: Reader, { id }: Adventure): DueSummary | null {
  const covered = findSummary(reader, id)?.covers ?? -1
  const passages = listSettledPassages(reader, id, covered, MAX_UNCOVERED)
  const covers = passages.at(-1)?.index
  return passages.length < SUMMARY_EVERY || covers === undefined ? null : { covered, covers, passages }
}

function saveSummary(deps: Deps, { id, story_summary }: Adventure, due: DueSummary, text: string): void {
  const { covered, covers, passages } = due
  deps.library.write((tx) => {
    const passagesNow = listSettledPassages(tx, id, covered, passages.length)
    const isUnchanged =
      getAdventure(tx, id).story_summary === story_summary &&
      passagesHash(passagesNow) === passagesHash(passages)
    // A text that the player wrote in the meantime stays; the next summary builds on it.
    if (!isUnchanged) return
    insertSummary(tx, id, { text, covers, made_by: 'model' }, deps.now())
    updateSummary(tx, id, text)
  })
}

function ask(
  { deps, adventure, settings, rank, signal }: MemoryWork,
  task: string,
  max_output_tokens: number,
  isEnough?: (answer: string) => boolean,
): Promise<string> {
  const question = questionAfterStory(deps, adventure.id, settings, { task, max_output_tokens })
  return askModel(deps, { ...question, rank, ...(isEnough && { isEnough }) }, signal)
}

/** True if a failure makes the story pause. Counts down the pause. */
function isPaused(deps: Deps, adventureId: number): boolean {
  const failure = findMemoryFailure(deps.library.reader, adventureId)
  if (!failure || failure.rests === 0) return false
  deps.library.write((tx) => upsertMemoryFailure(tx, adventureId, { ...failure, rests: failure.rests - 1 }))
  return true
}

function saveFailure(deps: Deps, adventureId: number, error: unknown): void {
  try {
    const failures = (findMemoryFailure(deps.library.reader, adventureId)?.failures ?? 0) + 1
    const rests = PAUSES[Math.min(failures, PAUSES.length) - 1] ?? 1
    const detail = error instanceof Error ? error.message : 'Something went wrong.'
    deps.library.write((tx) => upsertMemoryFailure(tx, adventureId, { failures, rests, detail }))
  } catch (failure) {
    printError('A failed memory could not be recorded', failure)
  }
}

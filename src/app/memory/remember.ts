import type { Reader } from '../../db/database.ts'
import {
  listNextPassages,
  listPassages,
  passagesHash,
  type SourcePassage,
} from '../../db/tables/actions/passages.ts'
import { findAdventure, findAnswers, getAdventure, updateSummary } from '../../db/tables/adventures.ts'
import {
  findDuePassages,
  findStaleMemory,
  hasDuePassages,
  insertMemory,
  listMemoryTexts,
  listUnforgotten,
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
  memoryFrom,
  memoryTask,
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
import { wasPreempted } from '../runtime/call-queue.ts'
import { embedPending, type ReportProgress } from './embed-memories.ts'
import { questionAfterStory } from './question-after-story.ts'

/** Memories made in one run, so that an imported story catches up step by step. */
const MAX_PER_RUN = 5
// Two sentences with room. A small model that rambles must come to an end before the next turn.
const MEMORY_TOKENS = 160
/** Turns for which a story pauses after its first failure, its second, and every later one. */
const PAUSES = [1, 2, 4]
/** The most passages since a memory or the last summary that are looked at, and the most memories that a new one is made from. */
const MAX_UNCOVERED = 400
const MAX_NOTES = 40

interface Remembering {
  adventureId: number
  signal: AbortSignal
  report: ReportProgress
  /** How long the work may take. */
  seconds: number
}

interface MemoryWork extends Omit<Remembering, 'adventureId'> {
  deps: Deps
  adventure: Adventure
  settings: Settings
}

/**
 * Makes the memories and the summary that are due, while the player reads (docs/rules.md 8). The story itself shows
 * what is due, so a restart loses nothing. Throws only when a turn preempts it: a failure is stored for the player to see, and
 * followed by a pause.
 */
export async function remember(deps: Deps, { adventureId, ...rest }: Remembering): Promise<void> {
  const { reader } = deps.library
  const { signal, report } = rest
  try {
    const settings = getSettings(reader)
    const adventure = findAdventure(reader, adventureId)
    if (!adventure || !canAsk(settings) || isPaused(deps, adventureId)) return
    const work = { deps, adventure, settings, ...rest }
    if (adventure.memory_bank_enabled) await makeMemories(work)
    if (adventure.auto_summarize) await makeSummary(work)
    if (adventure.memory_bank_enabled) await embedPending(deps, adventureId, signal, report)
    deps.library.write((tx) => upsertMemoryFailure(tx, adventureId, null))
  } catch (error) {
    // Being preempted by a turn is no failure: the work is repeated after the turn.
    if (wasPreempted(error)) throw error
    const isDeleted = findAdventure(reader, adventureId) === null
    if (!signal.aborted && !isDeleted) saveFailure(deps, adventureId, error)
  }
}

/** Passages that wait for a memory, after which it goes before all other work. */
const OVERDUE = 12

/** Whether many passages wait for a memory. */
export function isMemoryOverdue(reader: Reader, adventureId: number): boolean {
  return (
    findAdventure(reader, adventureId)?.memory_bank_enabled === true &&
    hasDuePassages(reader, adventureId, OVERDUE)
  )
}

/** The passages of one memory; `stale` is the id of the memory to replace, null for a new one. */
interface DueMemory {
  stale: number | null
  passages: [SourcePassage, ...SourcePassage[]]
  hash: string
  /** What the model is told of them. */
  texts: string[]
  /** Whether they are the last ones of the story's prompt, so that they need not be quoted. */
  isLast: boolean
}

async function makeMemories(work: MemoryWork): Promise<void> {
  const { report } = work
  for (let made = 0; made < MAX_PER_RUN; made++) {
    const due = findDueMemory(work)
    if (due === null) return
    const { passages } = due
    report(`Remembering passages ${passages[0].index} to ${passages.at(-1)?.index}`)
    const text = await askForMemory(work, due)
    if (isBlank(memoryFrom(text).text)) throw new Error('The model returned an empty memory.')
    saveMemory(work, due, text)
  }
}

async function askForMemory(work: MemoryWork, { passages, texts, isLast }: DueMemory): Promise<string> {
  const { deps, adventure, signal } = work
  const ask = (rule?: string) => {
    const task = memoryTask(isLast ? null : texts, rule)
    const question = { ...makeQuestion(work, task, MEMORY_TOKENS), isEnough: isLongerThanMemory }
    return askModel(deps, adventure.id, question, signal)
  }
  const first = await ask()
  if (!saysNothingNew(first, texts)) return first
  const second = await ask(ruleAgainstCopies(texts))
  return isAboutLater(second, texts, laterTexts(work, passages)) ? first : second
}

function laterTexts({ deps, adventure }: MemoryWork, passages: DueMemory['passages']): string[] {
  const last = passages.at(-1)?.index ?? 0
  return listNextPassages(deps.library.reader, adventure.id, last, MAX_UNCOVERED).map(({ text }) => text)
}

function findDueMemory(work: MemoryWork): DueMemory | null {
  const { deps, adventure } = work
  const { reader } = deps.library
  const stale = findStaleMemory(reader, adventure.id)
  const due = stale
    ? listPassages(reader, adventure.id, stale.start, stale.end)
    : (findDuePassages(reader, adventure.id) ?? [])
  const isLast = isLastInPrompt(work, due)
  const answers = () => findAnswers(reader, adventure.id) ?? {}
  const texts = due.map((passage) => filledPassage(passage, answers).text)
  const tokens = tokensToQuote(work.seconds, deps.speeds.readingSpeed(work.settings.endpoint_url))
  const count = isLast || stale ? due.length : passagesToQuote(texts, tokens)
  const [first, ...rest] = due.slice(0, count)
  if (!first) return null
  const passages: DueMemory['passages'] = [first, ...rest]
  const hash = passagesHash(passages)
  return { stale: stale?.id ?? null, passages, hash, texts: texts.slice(0, count), isLast }
}

/** Whether passages are the last ones of the story's prompt, so that they need not be quoted. */
function isLastInPrompt({ deps, adventure, settings }: MemoryWork, passages: SourcePassage[]): boolean {
  const newest = listNextPassages(deps.library.reader, adventure.id, passages.at(-1)?.index ?? 0, 2)
  return newest.length === 1 && settings.summary_model === ''
}

function saveMemory({ deps, adventure, settings }: MemoryWork, due: DueMemory, reply: string): void {
  const { text, no_longer } = memoryFrom(reply)
  const adventureId = adventure.id
  const { stale, passages, hash } = due
  const [start, end] = [passages[0].index, passages.at(-1)?.index ?? passages[0].index]
  deps.library.write((tx) => {
    // The player may have changed a passage in the meantime.
    if (passagesHash(listPassages(tx, adventureId, start, end)) !== hash) return
    if (stale !== null) return updateMemory(tx, adventureId, stale, { text, no_longer, source_hash: hash })
    insertMemory(tx, adventureId, { text, no_longer, source: { start, end, hash: hash } }, deps.now())
    updateMemoryCursor(tx, adventureId, passages.length)
    for (const id of overCapacity(listUnforgotten(tx, adventureId), settings.memory_bank_capacity))
      updateMemory(tx, adventureId, id, { forgotten: true })
  })
}

/** The indexes of the last actions that the current summary and the next one cover. */
interface DueSummary {
  covered: number
  covers: number
  /** The passages since, without the newest one, which may still be retried. */
  passages: SourcePassage[]
}

async function makeSummary(work: MemoryWork): Promise<void> {
  const { deps, adventure, signal, report, seconds } = work
  const { reader } = deps.library
  const due = findDueSummary(reader, adventure)
  if (due === null) return
  report('Updating the summary')
  const { covered, covers } = due
  const notes = listMemoryTexts(reader, adventure.id, { after: covered, to: covers, limit: MAX_NOTES })
  const words = summaryWords(seconds, deps.speeds.writingSpeed(work.settings.endpoint_url))
  const task = summaryTask(adventure.story_summary, notes, words)
  const question = makeQuestion(work, task, Math.round(words * TOKENS_PER_WORD))
  const text = await askModel(deps, adventure.id, question, signal)
  if (isBlank(text)) throw new Error('The model returned an empty summary.')
  saveSummary(deps, adventure, due, text)
}

function findDueSummary(reader: Reader, { id }: Adventure): DueSummary | null {
  const covered = findSummary(reader, id)?.covers ?? -1
  const since = listNextPassages(reader, id, covered, MAX_UNCOVERED)
  const passages = since.slice(0, -1)
  const covers = passages.at(-1)?.index
  return since.length <= SUMMARY_EVERY || covers === undefined ? null : { covered, covers, passages }
}

function saveSummary(deps: Deps, { id, story_summary }: Adventure, due: DueSummary, text: string): void {
  const { covered, covers, passages } = due
  deps.library.write((tx) => {
    const passagesNow = listNextPassages(tx, id, covered, passages.length + 1).slice(0, -1)
    const isUnchanged =
      getAdventure(tx, id).story_summary === story_summary &&
      passagesHash(passagesNow) === passagesHash(passages)
    // What the player wrote in the meantime stays; the next summary builds on it.
    if (!isUnchanged) return
    insertSummary(tx, id, { text, covers, made_by: 'model' }, deps.now())
    updateSummary(tx, id, text)
  })
}

function makeQuestion({ deps, adventure, settings }: MemoryWork, task: string, max_output_tokens: number) {
  return questionAfterStory(deps, adventure.id, settings, { task, max_output_tokens })
}

/** Whether a failure makes the story pause. Counts down the pause. */
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

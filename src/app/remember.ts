import { getAdventure, updateSummary } from '../db/tables/adventures.ts'
import {
  findDue,
  findStale,
  insertMemory,
  listMemories,
  moveCursor,
  nextPassages,
  type Passage,
  passagesIn,
  passagesMark,
  updateMemory,
} from '../db/tables/memories.ts'
import { getSettings } from '../db/tables/settings.ts'
import { findSummary, insertSummary } from '../db/tables/summaries.ts'
import { findTrouble, keepTrouble } from '../db/tables/memory-failures.ts'
import type { Adventure } from '../domain/adventure.ts'
import { BLOCK, memoryTask, overCapacity, SUMMARY_EVERY, summaryTask } from '../domain/memory.ts'
import { messagesOf } from '../domain/prompt/prompt.ts'
import type { Settings } from '../domain/settings.ts'
import type { Message } from '../domain/model/model-request.ts'
import { isBlank } from '../lib/text.ts'
import { traceOf } from '../domain/trace.ts'
import { askModel, canAsk } from './ask-model.ts'
import { isPassed } from './call-queue.ts'
import type { Deps } from './deps.ts'
import { embedPending } from './embed-memories.ts'
import { promptFor } from './prompt.ts'

/** Memories that are made in one go, so that an imported story is caught up with bit by bit. */
const AT_ONCE = 5
const MEMORY_TOKENS = 400
const SUMMARY_TOKENS = 600
/** Turns for which a story rests after a failure, after the next, and so on. */
const RESTS = [1, 2, 4]

/** What a story is remembered by at this moment, in words for the player; told while it happens. */
export type Tell = (what: string) => void

/**
 * Makes the memories and the summary that are due, in idle time (specification 1.8). What is due is seen from the story
 * itself, so nothing is lost with a restart. Never throws; a failure is kept for the player to see, and rests.
 */
export async function remember(
  deps: Deps,
  adventureId: number,
  signal: AbortSignal,
  tell: Tell,
): Promise<void> {
  const { reader } = deps.library
  try {
    const settings = getSettings(reader)
    if (!canAsk(settings) || isResting(deps, adventureId)) return
    const adventure = getAdventure(reader, adventureId)
    if (adventure.memory_bank_enabled) await makeMemories(deps, adventureId, settings, signal, tell)
    if (adventure.auto_summarize) await makeSummary(deps, adventure, settings, signal, tell)
    if (adventure.memory_bank_enabled) await embedPending(deps, adventureId, signal, tell)
    deps.library.write((tx) => keepTrouble(tx, adventureId, null))
  } catch (error) {
    // A turn that goes first is no failure; what it broke off is made after it.
    if (!signal.aborted && !isPassed(error)) keepFailure(deps, adventureId, error)
  }
}

async function makeMemories(
  deps: Deps,
  adventureId: number,
  settings: Settings,
  signal: AbortSignal,
  tell: Tell,
): Promise<void> {
  for (let made = 0; made < AT_ONCE; made++) {
    const { reader } = deps.library
    const stale = findStale(reader, adventureId)
    const passages = stale
      ? passagesIn(reader, adventureId, stale.start, stale.end)
      : findDue(reader, adventureId)
    const [first, last] = [passages?.[0], passages?.at(-1)]
    if (!passages || !first || !last) return
    tell(`Remembering passages ${first.index} to ${last.index}`)
    const text = await askModel(deps, memoryQuestion(deps, adventureId, settings, passages), signal)
    if (isBlank(text)) throw new Error('The model wrote nothing down.')
    const mark = passagesMark(passages)
    deps.library.write((tx) => {
      // The player may have changed a passage while it was being remembered.
      if (passagesMark(passagesIn(tx, adventureId, first.index, last.index)) !== mark) return
      if (stale) return updateMemory(tx, adventureId, stale.id, { text, source_hash: mark })
      insertMemory(tx, adventureId, text, { start: first.index, end: last.index, mark }, deps.now())
      moveCursor(tx, adventureId, BLOCK)
      const { memory_bank_capacity } = settings
      for (const id of overCapacity(listMemories(tx, adventureId), memory_bank_capacity))
        updateMemory(tx, adventureId, id, { forgotten: true })
    })
  }
}

function memoryQuestion(deps: Deps, adventureId: number, settings: Settings, passages: Passage[]) {
  const newest = nextPassages(deps.library.reader, adventureId, passages.at(-1)?.index ?? 0, 2)
  const isLast = newest.length === 1 && settings.summary_model === ''
  const task = memoryTask(isLast ? null : passages.map(({ text }) => text))
  return questionOf(deps, adventureId, settings, task, MEMORY_TOKENS)
}

async function makeSummary(
  deps: Deps,
  adventure: Adventure,
  settings: Settings,
  signal: AbortSignal,
  tell: Tell,
): Promise<void> {
  const { reader } = deps.library
  const covered = findSummary(reader, adventure.id)?.covers ?? -1
  const since = nextPassages(reader, adventure.id, covered, MOST_UNCOVERED)
  // The newest passage can still be told anew.
  const covers = since.at(-2)?.index
  if (since.length <= SUMMARY_EVERY || covers === undefined) return
  tell('Bringing the summary up to date')
  const memories = listMemories(reader, adventure.id)
    .filter((one) => !one.stale && (one.source_end ?? -1) > covered && (one.source_end ?? 0) <= covers)
    .map(({ text }) => text)
  const task = summaryTask(adventure.story_summary, memories.slice(-MOST_NOTES))
  const text = await askModel(deps, questionOf(deps, adventure.id, settings, task, SUMMARY_TOKENS), signal)
  if (isBlank(text)) throw new Error('The model wrote no summary.')
  const mark = passagesMark(since.slice(0, -1))
  deps.library.write((tx) => {
    const now = getAdventure(tx, adventure.id).story_summary
    const isAsItWas =
      passagesMark(nextPassages(tx, adventure.id, covered, since.length).slice(0, -1)) === mark
    // The player's own words, written meanwhile, are built upon the next time.
    if (now !== adventure.story_summary || !isAsItWas) return
    insertSummary(tx, adventure.id, { text, covers, made_by: 'model' }, deps.now())
    updateSummary(tx, adventure.id, text)
  })
}

const MOST_UNCOVERED = 400
const MOST_NOTES = 40

// Asked behind the story prompt itself, a server has read almost all of it already. Another model reads the task alone.
function questionOf(
  deps: Deps,
  adventureId: number,
  settings: Settings,
  task: string,
  max_output_tokens: number,
) {
  const { summary_model, model } = settings
  const messages: Message[] =
    summary_model === ''
      ? messagesOf([...storyParts(deps, adventureId, settings), { role: 'user', text: task }])
      : [{ role: 'user', text: task }]
  return { model: summary_model || model, messages, max_output_tokens }
}

/** The prompt of a story up to the end of its newest passage. Throws prompt_too_large. */
export function storyParts(deps: Deps, adventureId: number, settings: Settings) {
  const { parts } = promptFor(deps.library.reader, adventureId, settings, null)
  const told = parts.findLastIndex(({ role }) => role === 'assistant')
  return parts.slice(0, told + 1)
}

function isResting(deps: Deps, adventureId: number): boolean {
  const trouble = findTrouble(deps.library.reader, adventureId)
  if (!trouble || trouble.rests === 0) return false
  deps.library.write((tx) => keepTrouble(tx, adventureId, { ...trouble, rests: trouble.rests - 1 }))
  return true
}

function keepFailure(deps: Deps, adventureId: number, error: unknown): void {
  try {
    const failures = (findTrouble(deps.library.reader, adventureId)?.failures ?? 0) + 1
    const rests = RESTS[Math.min(failures, RESTS.length) - 1] ?? 1
    const detail = error instanceof Error ? error.message : 'Something went wrong.'
    deps.library.write((tx) => keepTrouble(tx, adventureId, { failures, rests, detail }))
  } catch (fault) {
    console.error('A trouble of remembering was not kept:', traceOf(fault))
  }
}

import type { Reader } from '../../db/database.ts'
import { getAdventure } from '../../db/tables/adventures.ts'
import { getReaderPreferences } from '../../db/tables/preferences.ts'
import { getScenario } from '../../db/tables/scenarios.ts'
import { listCards } from '../../db/tables/story-cards.ts'
import type { NamedOwner } from '../../domain/story-card.ts'
import { makeCards } from '../../formats/ai-dungeon/make-cards.ts'
import { type BookOptions, WHOLE_STORY } from '../../formats/book/passages.ts'
import { type AdventureFormat, ENDINGS, fileName, type ScenarioFormat } from '../../formats/file-name.ts'
import { branchesOf } from '../adventure/branches.ts'
import type { Deps } from '../deps.ts'
import { cardOwnerFrom } from '../scenario/story-cards.ts'
import { streamFromWorker } from '../worker/stream-from-worker.ts'
import type { FileRequest } from './write-file.ts'

export interface ReadyFile {
  /** Safe on every system, but not always ASCII. */
  name: string
  /** Media type. */
  type: string
  bytes: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>
}

/** By extension. */
const MEDIA_TYPES: Record<string, string> = {
  json: 'application/json',
  zip: 'application/zip',
  md: 'text/markdown; charset=utf-8',
  html: 'text/html; charset=utf-8',
  epub: 'application/epub+zip',
  jsonl: 'application/jsonl; charset=utf-8',
  png: 'image/png',
  charx: 'application/zip',
}

/**
 * An adventure as a file. All options apply to Markdown, HTML and EPUB; a chat ignores `attempts` and `stats`. Throws
 * not_found.
 */
export async function exportAdventure(
  deps: Deps,
  id: number,
  {
    format,
    options,
    allBranches = false,
  }: { format: AdventureFormat; options: Partial<BookOptions>; allBranches?: boolean },
  signal: AbortSignal,
): Promise<ReadyFile> {
  const { reader } = deps.library
  const title = allBranches || format === 'family' ? storyTitle(reader, id) : getAdventure(reader, id).title
  const { typography } = getReaderPreferences(reader)
  const reading = { ...WHOLE_STORY, typography, ...options }
  const wanted = { of: 'adventure', id, format, reading, allBranches } as const
  return download(title, ENDINGS.adventure[format], await written(deps, wanted, signal))
}

/** The title of the story that the branches grew from, or of the oldest that is left. Throws not_found. */
function storyTitle(reader: Reader, id: number): string {
  return branchesOf(reader, id)[0]?.title ?? ''
}

/** Throws not_found. */
export async function exportScenario(
  deps: Deps,
  id: number,
  format: ScenarioFormat,
  signal: AbortSignal,
): Promise<ReadyFile> {
  const { title } = getScenario(deps.library.reader, id)
  const bytes = await written(deps, { of: 'scenario', id, format }, signal)
  return download(title, ENDINGS.scenario[format], bytes)
}

/** The story cards of one owner as a file that AI Dungeon and others read. Throws invalid, not_found. */
export function exportCards(deps: Deps, named: NamedOwner): ReadyFile {
  const { reader } = deps.library
  const owner = cardOwnerFrom(reader, named)
  const { title } =
    'scenario_id' in owner ? getScenario(reader, owner.scenario_id) : getAdventure(reader, owner.adventure_id)
  const bytes = new TextEncoder().encode(JSON.stringify(makeCards(listCards(reader, owner))))
  return download(title, ENDINGS.cards.json, bytes)
}

async function written(deps: Deps, wanted: FileRequest, signal: AbortSignal): Promise<ReadyFile['bytes']> {
  deps.library.assertInPlace()
  const given = { path: deps.library.path, wanted, at: deps.now() }
  return streamFromWorker(given, AbortSignal.any([signal, deps.closing]))
}

function download(title: string, ending: string, bytes: ReadyFile['bytes']): ReadyFile {
  const type = MEDIA_TYPES[ending.split('.').at(-1) ?? ''] ?? ''
  return { name: fileName(title, ending), type, bytes }
}

import { getAdventure } from '../../db/tables/adventures.ts'
import { getScenario } from '../../db/tables/scenarios.ts'
import { listCards } from '../../db/tables/story-cards.ts'
import { isPacked } from '../../domain/interchange/packed.ts'
import { cardList } from '../../formats/ai-dungeon/make-cards.ts'
import { fileName } from '../../formats/file-name.ts'
import { type Reading, WHOLE_STORY } from '../../formats/book/passages.ts'
import { beside } from '../beside.ts'
import type { Deps } from '../deps.ts'
import { ownerFrom } from '../scenario/story-cards.ts'
import type { AdventureFormat, ScenarioFormat, Wanted } from '../write-file.ts'

/** A file that is ready to be kept. */
export interface ReadyFile {
  /** What it is called: safe on every system, but not always ASCII. */
  name: string
  /** Its media type. */
  type: string
  bytes: Uint8Array<ArrayBuffer>
}

const JSON_TYPE = 'application/json'

/** How the files of each format end, and what they are. */
const KINDS: Record<AdventureFormat | ScenarioFormat, { ending: string; type: string }> = {
  json: { ending: 'json', type: JSON_TYPE },
  legacy: { ending: 'json', type: JSON_TYPE },
  markdown: { ending: 'md', type: 'text/markdown; charset=utf-8' },
  html: { ending: 'html', type: 'text/html; charset=utf-8' },
  epub: { ending: 'epub', type: 'application/epub+zip' },
  jsonl: { ending: 'jsonl', type: 'application/jsonl; charset=utf-8' },
  png: { ending: 'png', type: 'image/png' },
}

/**
 * An adventure as a file. Only what is read as a book heeds what the reader wants to see; a chat heeds all of it but the
 * attempts and the changes. Throws not_found.
 */
export async function exportAdventure(
  deps: Deps,
  id: number,
  format: AdventureFormat,
  reading: Partial<Reading>,
  signal: AbortSignal,
): Promise<ReadyFile> {
  const { title } = getAdventure(deps.library.reader, id)
  return ready(deps, title, { of: 'adventure', id, format, reading: { ...WHOLE_STORY, ...reading } }, signal)
}

/** A scenario as a file. Throws not_found. */
export async function exportScenario(
  deps: Deps,
  id: number,
  format: ScenarioFormat,
  signal: AbortSignal,
): Promise<ReadyFile> {
  const { title } = getScenario(deps.library.reader, id)
  return ready(deps, title, { of: 'scenario', id, format }, signal)
}

/** The story cards of one owner as a file that AI Dungeon and others read. Throws invalid, not_found. */
export function exportCards(deps: Deps, named: { scenario_id?: number; adventure_id?: number }): ReadyFile {
  const { reader } = deps.library
  const owner = ownerFrom(reader, named)
  const { title } =
    'scenario_id' in owner ? getScenario(reader, owner.scenario_id) : getAdventure(reader, owner.adventure_id)
  const bytes = new TextEncoder().encode(JSON.stringify(cardList(listCards(reader, owner))))
  return { name: fileName(`${title} cards`, 'json'), type: JSON_TYPE, bytes }
}

async function ready(deps: Deps, title: string, wanted: Wanted, signal: AbortSignal): Promise<ReadyFile> {
  const { ending, type } = KINDS[wanted.format]
  const job = { kind: 'write', path: deps.library.path, wanted, at: deps.now() } as const
  const bytes = await beside(job, AbortSignal.any([signal, deps.closing]))
  if (isPacked(bytes)) return { name: `${fileName(title, ending)}.gz`, type: 'application/gzip', bytes }
  return { name: fileName(title, ending), type, bytes }
}

import type { Reader } from '../../db/database.ts'
import { listBranches } from '../../db/stories/branches.ts'
import { getPortableAdventure, getPortableScenario } from '../../db/stories/portable.ts'
import type { ActionParts } from '../../db/stories/stored-actions.ts'
import type { PortableScenario } from '../../domain/portable/portable.ts'
import { type BookOptions, WHOLE_STORY } from '../../formats/book/passages.ts'
import { makeCharacterJson, makeCharacterPng, makeCharx } from '../../formats/character-card/make-card.ts'
import { makeEarlierAdventure } from '../../formats/earlier-release/make-adventure.ts'
import { makeEarlierScenario } from '../../formats/earlier-release/make-scenario.ts'
import { makeEpub } from '../../formats/epub/make-epub.ts'
import type { AdventureFormat, ScenarioFormat } from '../../formats/file-name.ts'
import { makeHtml } from '../../formats/html/make-html.ts'
import { makeAdventure } from '../../formats/inglenook/make-adventure.ts'
import { makeScenario } from '../../formats/inglenook/make-scenario.ts'
import { makeWorldInfo } from '../../formats/lore/make-lore.ts'
import { makeMarkdown } from '../../formats/markdown/make-markdown.ts'
import { makeChat } from '../../formats/sillytavern-chat/make-chat.ts'
import { makeZip, type ZipEntry } from '../../formats/zip/make-zip.ts'
import { asPng, storedPicture } from '../scenario/covers.ts'
import { branchContents } from './book/branch-contents.ts'
import { storyChapters } from './book/story-chapters.ts'

export type FileRequest =
  | { of: 'adventure'; id: number; format: AdventureFormat; reading: BookOptions; allBranches?: boolean }
  | { of: 'scenario'; id: number; format: ScenarioFormat }

/** A file in pieces, which are made when they are asked for. */
type Pieces = Iterable<string | Uint8Array>

/**
 * Writes an adventure or a scenario as a file; `at` is the moment that the file names as its own. The story is read while
 * the pieces are. Throws not_found.
 */
export function writeFile(reader: Reader, wanted: FileRequest, at: Date): Promise<Pieces> {
  return wanted.of === 'adventure' ? adventureAs(reader, wanted, at) : scenarioAs(reader, wanted, at)
}

async function adventureAs(
  reader: Reader,
  wanted: FileRequest & { of: 'adventure' },
  at: Date,
): Promise<Pieces> {
  const { id, format, reading } = wanted
  if (format === 'family') return makeZip(branchFiles(reader, id, at))
  if (BOOKS.has(format)) return bookAs(reader, wanted, at)
  if (format === 'jsonl')
    return makeChat(portableAdventure(reader, id, { versions: true, states: false }), reading)
  const adventure = portableAdventure(reader, id)
  return format === 'legacy' ? makeEarlierAdventure(adventure) : makeAdventure(adventure, at)
}

/** The formats that are for reading. */
const BOOKS: ReadonlySet<AdventureFormat> = new Set(['markdown', 'html', 'epub'])

/** A story, or all branches of it in full, as a book. */
async function bookAs(
  reader: Reader,
  { id, format, reading, allBranches = false }: FileRequest & { of: 'adventure' },
  at: Date,
): Promise<Pieces> {
  const parts = { versions: reading.attempts || reading.stats, states: false }
  const story = portableAdventure(reader, id, parts)
  const cover = story.scenario?.image ?? ''
  const { chapters, ...branches } = allBranches
    ? branchContents(reader, id, parts)
    : { ...story, chapters: storyChapters(reader, id, story.actions) }
  const adventure = { ...story, ...branches }
  const shown = allBranches ? { ...reading, from: WHOLE_STORY.from, to: WHOLE_STORY.to } : reading
  if (format === 'markdown') return makeMarkdown(adventure, shown, chapters)
  if (format === 'html') return makeHtml(adventure, shown, { cover, chapters })
  return makeEpub(adventure, shown, { cover: await asPng(cover), chapters, at })
}

function portableAdventure(reader: Reader, id: number, parts?: ActionParts) {
  const read = getPortableAdventure(reader, id, parts)
  return { ...read, scenario: read.scenario && withOwnPicture(read.scenario) }
}

/** Our own file of each branch of a story, made when it is asked for. */
function* branchFiles(reader: Reader, id: number, at: Date): Generator<ZipEntry> {
  for (const [i, branch] of listBranches(reader, id).entries()) {
    const text = [...makeAdventure(portableAdventure(reader, branch.id), at)].join('')
    yield { name: `branch-${i + 1}.json`, bytes: new TextEncoder().encode(text) }
  }
}

async function scenarioAs(
  reader: Reader,
  { id, format }: FileRequest & { of: 'scenario' },
  at: Date,
): Promise<Pieces> {
  const scenario = withOwnPicture(getPortableScenario(reader, id))
  switch (format) {
    case 'json':
      return [makeScenario(scenario, at)]
    case 'png':
      return [makeCharacterPng(scenario, await asPng(scenario.image), at)]
    case 'card':
      return [makeCharacterJson(scenario, at)]
    case 'charx':
      return makeCharx(scenario, await asPng(scenario.image), at)
    case 'lorebook':
      return [makeWorldInfo(scenario.story_cards)]
    case 'legacy':
      return [makeEarlierScenario(scenario)]
  }
}

// Libraries of the earlier release may link to pictures elsewhere. Exports leave such links out.
function withOwnPicture(scenario: PortableScenario): PortableScenario {
  return storedPicture(scenario.image) ? scenario : { ...scenario, image: '' }
}

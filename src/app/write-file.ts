import { readAdventure, readScenario } from '../db/stories/portable.ts'
import type { Reader } from '../db/database.ts'
import type { CarriedScenario } from '../domain/portable/portable.ts'
import { packed } from '../domain/interchange/packed.ts'
import { characterPng } from '../formats/character-card/make-card.ts'
import { chatLines } from '../formats/sillytavern-chat/make-chat.ts'
import { earlierAdventure, earlierScenario } from '../formats/earlier-release/make-adventure.ts'
import { epubBook } from '../formats/epub/make-epub.ts'
import { htmlPage } from '../formats/html/make-html.ts'
import { markdownBook } from '../formats/markdown/make-markdown.ts'
import { adventureFile, scenarioFile } from '../formats/inglenook/make-adventure.ts'
import type { Reading } from '../formats/book/passages.ts'
import { asPng, storedPicture } from './scenario/covers.ts'

/** The formats that an adventure is written in. The last one is the earlier release's. */
export const ADVENTURE_FORMATS = ['json', 'markdown', 'html', 'epub', 'jsonl', 'legacy'] as const
export type AdventureFormat = (typeof ADVENTURE_FORMATS)[number]

/** The formats that a scenario is written in. */
export const SCENARIO_FORMATS = ['json', 'png', 'legacy'] as const
export type ScenarioFormat = (typeof SCENARIO_FORMATS)[number]

/** A file that somebody wants. */
export type Wanted =
  | { of: 'adventure'; id: number; format: AdventureFormat; reading: Reading }
  | { of: 'scenario'; id: number; format: ScenarioFormat }

/** Writes an adventure or a scenario as a file; `at` is the moment that the file names as its own. Throws not_found. */
export async function writeFile(reader: Reader, wanted: Wanted, at: Date): Promise<Uint8Array<ArrayBuffer>> {
  const written = await (wanted.of === 'adventure'
    ? adventureAs(reader, wanted, at)
    : scenarioAs(reader, wanted, at))
  const bytes = typeof written === 'string' ? new TextEncoder().encode(written) : written
  return wanted.format === 'json' ? packed(bytes) : bytes
}

async function adventureAs(
  reader: Reader,
  { id, format, reading }: Wanted & { of: 'adventure' },
  at: Date,
): Promise<string | Uint8Array<ArrayBuffer>> {
  const read = readAdventure(reader, id)
  const adventure = { ...read, scenario: read.scenario && withOwnPicture(read.scenario) }
  const cover = adventure.scenario?.image ?? ''
  switch (format) {
    case 'json':
      return adventureFile(adventure, at)
    case 'markdown':
      return markdownBook(adventure, reading)
    case 'html':
      return htmlPage(adventure, reading, cover)
    case 'epub':
      return epubBook(adventure, reading, await asPng(cover), at)
    case 'jsonl':
      return chatLines(adventure, reading)
    case 'legacy':
      return earlierAdventure(adventure)
  }
}

async function scenarioAs(
  reader: Reader,
  { id, format }: Wanted & { of: 'scenario' },
  at: Date,
): Promise<string | Uint8Array<ArrayBuffer>> {
  const scenario = withOwnPicture(readScenario(reader, id))
  switch (format) {
    case 'json':
      return scenarioFile(scenario, at)
    case 'png':
      return characterPng(scenario, await asPng(scenario.image), at)
    case 'legacy':
      return earlierScenario(scenario)
  }
}

// Libraries of the earlier release may hold addresses of pictures elsewhere. No file of ours leads there.
function withOwnPicture(scenario: CarriedScenario): CarriedScenario {
  return storedPicture(scenario.image) ? scenario : { ...scenario, image: '' }
}

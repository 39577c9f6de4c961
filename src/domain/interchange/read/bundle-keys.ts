import { LIMITS } from '../../limits.ts'
import { isBlank } from '../../../lib/text.ts'
import type { CarriedAdventure } from '../../portable/portable.ts'
import { pickCards } from './cards.ts'
import { pickFlag, pickObject, pickText } from './pick.ts'
import type { Reading } from '../../../formats/shared/receipt.ts'
import { pickPlot } from './scenario-keys.ts'

/** The passages of one line of a story. */
type Line = Pick<CarriedAdventure, 'title' | 'actions' | 'memories' | 'world_state'>

/** What both adventure files of the earlier release say besides their passages. */
export interface BundleHead extends Omit<CarriedAdventure, keyof Line> {
  title: string
  world_state: Record<string, unknown> | null
}

/** Reads the keys at the top of an adventure file of the earlier release. */
export function pickHead(reading: Reading, file: Record<string, unknown>): BundleHead {
  reading.judge('taken', file, 'format', 'What kind of file it is.')
  for (const key of ['memoryCursor', 'summaryCursor'])
    if (Object.hasOwn(file, key))
      reading.judge('dropped', file, key, 'How far the story was digested. It is seen anew from the story.')
  if (Object.hasOwn(file, 'scriptState'))
    reading.judge('dropped', file, 'scriptState', 'What scripts remembered. There are none here.')
  if (Object.hasOwn(file, 'scripts'))
    reading.judge('dropped', file, 'scripts', 'Scripts. Nothing that a file brings is ever run.')
  const title = pickText(reading, file, ['title'], 'Title', { limit: LIMITS.name })
  const cards = pickCards(reading, file, ['storyCards', 'story_cards', 'worldInfo']) ?? []
  return {
    title: isBlank(title) ? 'Imported Adventure' : title,
    ...pickPlot(reading, file),
    story_summary: pickText(reading, file, ['storySummary', 'story_summary'], 'Summary'),
    auto_summarize: pickFlag(reading, file, ['autoSummarize'], 'Whether it is summed up', false),
    memory_bank_enabled: pickFlag(reading, file, ['memoryBankEnabled'], 'Whether memories are made', false),
    scenario: null,
    placeholders: {},
    stat_schema: null,
    world_state: pickObject(reading, file, ['worldState'], 'The world as it stands'),
    story_cards: cards.map((card) => ({ ...card, source_ref: null })),
  }
}

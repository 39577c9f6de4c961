import { LIMITS } from '../../limits.ts'
import { UNTITLED_SCENARIO } from '../../scenario.ts'
import type { CardFields } from '../../story-card.ts'
import { isObject } from '../../../lib/objects.ts'
import type { CarriedScenario } from '../../portable/portable.ts'
import { MOST_CARDS } from './cards.ts'
import { pickList, pickText } from './pick.ts'
import { type Format, planOf } from './plan.ts'
import { Reading } from '../../../formats/shared/receipt.ts'
import { refused } from '../../../formats/shared/import-refused.ts'
import { pickScenario } from './scenario-keys.ts'

/** The version of our own formats that this program reads and writes (docs/formats.md). */
export const VERSION = 1

/** Our own file of a scenario. */
export const ownScenario: Format = {
  kind: 'inglenook-scenario',
  fits: (file) => isObject(file) && file.format === 'inglenook-scenario',
  read: (file) => {
    const reading = new Reading()
    if (!isObject(file)) throw refused('This is no scenario.')
    judgeHead(reading, file)
    return planOf('inglenook-scenario', reading, file, { scenarios: [ownScenarioFrom(reading, file)] })
  },
}

/** Judges the keys that say what a file of ours is. Throws import_refused for a version that is not ours to read. */
export function judgeHead(reading: Reading, file: Record<string, unknown>): void {
  const { version } = file
  if (typeof version === 'number' && version > VERSION)
    throw refused(`A newer Inglenook wrote this file (version ${version}). Update this one, then import it.`)
  if (version !== VERSION) throw refused(`This file does not say that it is of version ${VERSION}.`)
  reading.judge('taken', file, 'format', 'What kind of file it is.')
  reading.judge('taken', file, 'version', 'The version of its format.')
  if (Object.hasOwn(file, 'exported_at'))
    reading.judge('dropped', file, 'exported_at', 'When it was written. What it brings is new here.')
}

/** A scenario in our own spelling. */
export function ownScenarioFrom(reading: Reading, file: Record<string, unknown>): CarriedScenario {
  const fields = pickScenario(reading, file)
  const cards = pickList(reading, file, ['story_cards'], 'Story cards', MOST_CARDS)
  return {
    ...fields,
    title: fields.title.trim() === '' ? UNTITLED_SCENARIO : fields.title,
    story_cards: (cards?.items ?? []).map(({ item }) => ownCard(reading, item)),
  }
}

/** A card in our own spelling, as it is. */
export function ownCard(reading: Reading, item: Record<string, unknown>): CardFields {
  return {
    type: pickText(reading, item, ['type'], 'Type', { limit: LIMITS.cardType }),
    name: pickText(reading, item, ['name'], 'Name', { limit: LIMITS.name }),
    keys: pickText(reading, item, ['keys'], 'Triggers'),
    entry: pickText(reading, item, ['entry'], 'Entry'),
    notes: pickText(reading, item, ['notes'], 'Notes'),
  }
}

import { LIMITS, MAX_CARDS } from '../../domain/limits.ts'
import type { PortableScenario } from '../../domain/portable/portable.ts'
import { UNTITLED_SCENARIO } from '../../domain/scenario.ts'
import type { CardFields } from '../../domain/story-card.ts'
import { timingFrom } from '../../domain/timing/timing.ts'
import { isObject } from '../../lib/objects.ts'
import { type Format, planOf, rootFields } from '../format.ts'
import type { Fields } from '../shared/fields.ts'
import { importRefused } from '../shared/import-refused.ts'
import { parseScenarioFields } from '../shared/scenario-fields.ts'

/** The newest version of each Inglenook format (docs/formats.md). Raised when a reader of this one would misread a file. */
export const VERSIONS = { 'inglenook-scenario': 1, 'inglenook-adventure': 2 } as const

export const inglenookScenario: Format = {
  kind: 'inglenook-scenario',
  matches: (file) => isObject(file) && file.format === 'inglenook-scenario',
  parse: (source) => {
    const file = rootFields(source)
    checkHeader(file, 'inglenook-scenario')
    return planOf('inglenook-scenario', file, { scenarios: [parseScenario(file)] })
  },
}

/** Reads format and version. Throws import_refused for a version that this program cannot read. */
export function checkHeader(file: Fields, format: keyof typeof VERSIONS): void {
  const { version } = file.source
  if (typeof version === 'number' && version > VERSIONS[format])
    throw importRefused(
      `This file comes from a newer Inglenook (format version ${version}). Update Inglenook, then import it again.`,
    )
  if (!Number.isInteger(version) || (version as number) < 1)
    throw importRefused('This file does not say which format version it has.')
  file.came('File format', 'format', 'version')
}

export function parseScenario(file: Fields): PortableScenario {
  const fields = parseScenarioFields(file)
  const cards = file.list(['story_cards'], 'Story cards', MAX_CARDS) ?? []
  return {
    ...fields,
    title: fields.title.trim() === '' ? UNTITLED_SCENARIO : fields.title,
    story_cards: cards.map((card) => parseCard(card.fields)),
  }
}

export function parseCard(item: Fields): CardFields {
  const timing = item.value(['timing'], 'When and how often', (value) => timingFrom(value) ?? undefined)
  return {
    type: item.text(['type'], 'Type', { limit: LIMITS.cardType }),
    name: item.text(['name'], 'Name', { limit: LIMITS.name }),
    keys: item.text(['keys'], 'Triggers'),
    entry: item.text(['entry'], 'Entry'),
    notes: item.text(['notes'], 'Notes'),
    ...(timing && { timing }),
  }
}

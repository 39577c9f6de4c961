import { LIMITS } from '../../domain/limits.ts'
import type { ScenarioFields } from '../../domain/scenario.ts'
import { parseCover } from './cover.ts'
import type { Fields } from './fields.ts'
import { parseStatSchema } from './stat-schema.ts'

/** The fields of a scenario, in Inglenook's spelling or any that the earlier release accepts. */
export function parseScenarioFields(file: Fields): ScenarioFields {
  return {
    title: file.text(['title'], 'Title', { limit: LIMITS.name }),
    description: file.text(['description'], 'Description'),
    prompt: file.text(['prompt'], 'Opening'),
    ...parsePlotFields(file),
    tags: file.tags(['tags']),
    icon: file.text(['icon'], 'Icon', { limit: LIMITS.icon }),
    image: parseCover(file, ['image']),
    stat_schema: parseStatSchema(file, ['stat_schema', 'statSchema']),
  }
}

/** The three texts that scenarios and adventures share. */
export function parsePlotFields(
  file: Fields,
): Pick<ScenarioFields, 'memory' | 'authors_note' | 'ai_instructions'> {
  return {
    memory: file.text(['memory'], 'Plot essentials'),
    authors_note: file.text(['authors_note', 'authorsNote', 'authorsNoteText'], 'Author’s note'),
    ai_instructions: file.text(['ai_instructions', 'aiInstructions', 'instructions'], 'AI instructions'),
  }
}

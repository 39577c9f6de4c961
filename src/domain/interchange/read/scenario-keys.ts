import { LIMITS } from '../../limits.ts'
import type { ScenarioFields } from '../../scenario.ts'
import { pickTags, pickText } from './pick.ts'
import { pickPicture } from './picture.ts'
import type { Reading } from '../../../formats/shared/receipt.ts'
import { pickSchema } from './schema.ts'

/** The fields of a scenario, in our spelling, the earlier release's and those that it read besides. */
export function pickScenario(reading: Reading, file: Record<string, unknown>): ScenarioFields {
  return {
    title: pickText(reading, file, ['title'], 'Title', { limit: LIMITS.name }),
    description: pickText(reading, file, ['description'], 'Description'),
    prompt: pickText(reading, file, ['prompt'], 'Opening'),
    ...pickPlot(reading, file),
    tags: pickTags(reading, file, ['tags']),
    icon: pickText(reading, file, ['icon'], 'Icon', { limit: LIMITS.icon }),
    image: pickPicture(reading, file, ['image']),
    stat_schema: pickSchema(reading, file, ['stat_schema', 'statSchema']),
  }
}

/** The three texts that scenarios and adventures share. */
export function pickPlot(
  reading: Reading,
  file: Record<string, unknown>,
): Pick<ScenarioFields, 'memory' | 'authors_note' | 'ai_instructions'> {
  return {
    memory: pickText(reading, file, ['memory'], 'Plot essentials'),
    authors_note: pickText(
      reading,
      file,
      ['authors_note', 'authorsNote', 'authorsNoteText'],
      'Author’s note',
    ),
    ai_instructions: pickText(
      reading,
      file,
      ['ai_instructions', 'aiInstructions', 'instructions'],
      'AI instructions',
    ),
  }
}

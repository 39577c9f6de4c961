import { LIMITS, MAX_GREETINGS } from '../../domain/limits.ts'
import type { PlotTexts, ScenarioFields } from '../../domain/scenario.ts'
import { readNumber } from '../../lib/numbers.ts'
import { isObject, textsOf } from '../../lib/objects.ts'
import { cutTo, isBlank } from '../../lib/text.ts'
import { parseCover } from './cover.ts'
import type { Fields } from './fields.ts'
import { parseTime } from './parse-time.ts'
import { isUnset } from './receipt.ts'
import { parseStatSchema } from './stat-schema.ts'

/** The fields of a scenario, in Inglenook's spelling or any that the earlier release accepts. */
export function parseScenarioFields(file: Fields): ScenarioFields {
  return {
    title: file.text(['title'], 'Title', { limit: LIMITS.name }),
    description: file.text(['description'], 'Description'),
    prompt: file.text(['prompt'], 'Opening'),
    greetings: parseGreetings(file, 'greetings', (text) => text),
    ...parsePlotFields(file),
    tags: file.tags(),
    icon: file.text(['icon'], 'Icon', { limit: LIMITS.icon }),
    image: parseCover(file, ['image']),
    stat_schema: parseStatSchema(file, ['stat_schema', 'statSchema']),
  }
}

/** The openings of a scenario beside its first, each as `fill` leaves it. */
export function parseGreetings(file: Fields, key: string, fill: (text: string) => string): string[] {
  const greetings = file.value([key], 'Openings to choose from', (value) => {
    const list = typeof value === 'string' ? [value] : isObject(value) ? Object.values(value) : value
    if (!Array.isArray(list)) return undefined
    const texts = textsOf(list).filter((text) => !isBlank(text))
    // Some sites write a time here.
    const isTime = (text: string) => readNumber(text) !== null || parseTime(text) !== null
    const all = texts.filter((text) => !isTime(text)).map((text) => text.toWellFormed())
    const isLess = all.length < list.filter((one) => !isUnset(one)).length
    if (isLess && all.length === 0) return undefined
    const filled = all.slice(0, MAX_GREETINGS).map(fill)
    const kept = filled.map((text) => cutTo(text, LIMITS.prose))
    const changes = [
      isLess ? 'only those that are texts' : '',
      all.length > kept.length ? `only the first ${MAX_GREETINGS}` : '',
      filled.some((text, i) => text !== all[i]) ? 'placeholders filled in' : '',
      kept.some((text, i) => text !== filled[i]) ? `shortened to ${LIMITS.prose} characters` : '',
    ].filter(Boolean)
    if (changes.length > 0) file.changed(`Openings to choose from: ${changes.join(', ')}`, key)
    return kept
  })
  return greetings ?? []
}

/** The texts that scenarios and adventures share. */
export function parsePlotFields(file: Fields): PlotTexts {
  return {
    memory: file.text(['memory'], 'Plot essentials'),
    authors_note: file.text(['authors_note', 'authorsNote', 'authorsNoteText'], 'Author’s note'),
    ai_instructions: file.text(['ai_instructions', 'aiInstructions', 'instructions'], 'AI instructions'),
    example_dialogue: file.text(['example_dialogue'], 'Example dialogue'),
  }
}

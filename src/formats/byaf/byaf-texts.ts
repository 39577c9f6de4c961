import { LIMITS, MAX_CARDS } from '../../domain/limits.ts'
import type { CardFields } from '../../domain/story-card.ts'
import { cutTo, isBlank } from '../../lib/text.ts'
import { SCENARIO } from '../character-card/character-texts.ts'
import { parseLoreText } from '../lore/lorebook.ts'
import { parseTriggers } from '../lore/triggers.ts'
import { WRITERS } from '../lore/writers.ts'
import type { Fields } from '../shared/fields.ts'

const MAX_IMAGES = 200
const MAX_MESSAGES = 200

export function parseCharacter(file: Fields, fallback: string) {
  file.came('File format', 'schemaVersion', '$schema')
  const short = { limit: LIMITS.name, loose: true }
  const name = file.text(['name'], 'Title', short)
  const shown = file.text(['displayName'], 'Title', short)
  const title = [name, shown].find((text) => !isBlank(text)) ?? fallback
  if (!isBlank(shown) && shown !== title)
    file.left('The name that texts and chats use is the title', 'displayName')
  for (const { fields } of file.list(['images'], 'Pictures: the first is the cover', MAX_IMAGES) ?? [])
    fields.came('Which file of the archive it is', 'path')
  const isAdult = file.flag(['isNSFW'], 'Tags')
  const persona = parseLoreText(file, ['persona'], 'Plot essentials', { char: title }).trim()
  const memory = persona === '' ? '' : cutTo(`${title}: ${persona}`, LIMITS.prose)
  return { title, memory, tags: isAdult ? 'nsfw' : '' }
}

export function parseLore(file: Fields, char: string): CardFields[] {
  const items = file.list(['loreItems'], 'Story cards', MAX_CARDS) ?? []
  return items.flatMap(({ fields, drop }) => {
    const entry = parseLoreText(fields, ['value'], 'Entry', { char })
    const settings = { of: {}, holders: [] }
    const { primary, first } = parseTriggers(fields, { writer: WRITERS.backyard, settings, char })
    if (isBlank(entry)) {
      drop('Empty entry')
      return []
    }
    const name = cutTo(first, LIMITS.name)
    return [{ type: '', name, keys: cutTo(primary.join(', '), LIMITS.prose), entry, notes: '' }]
  })
}

/** The texts of a scenario. `scene` belongs to the plot essentials. */
export function parseScenarioTexts(file: Fields, char: string) {
  file.came('File format', 'schemaVersion', '$schema')
  const narrative = parseLoreText(file, ['narrative'], 'Plot essentials', { char }).trim()
  const examples = parseSpoken(file, 'exampleMessages', 'Example dialogue', char)
  return {
    subtitle: file.text(['title'], 'Title', { limit: LIMITS.name }).trim(),
    scene: narrative === '' ? '' : SCENARIO + narrative,
    ai_instructions: parseLoreText(file, ['formattingInstructions'], 'AI instructions', { char }),
    example_dialogue: cutTo(examples.map((text) => `<START>\n${text}`).join('\n'), LIMITS.prose),
    prompt: parseSpoken(file, 'firstMessages', 'Opening', char)[0] ?? '',
  }
}

function parseSpoken(file: Fields, key: string, label: string, char: string): string[] {
  const items = file.list([key], label, MAX_MESSAGES) ?? []
  return items.flatMap(({ fields, drop }) => {
    const text = parseLoreText(fields, ['text'], label, { char }).trim()
    if (text === '') drop('Empty message')
    return text === '' ? [] : [text]
  })
}

import { LIMITS, MAX_CARDS } from '../../domain/limits.ts'
import type { PortableScenario } from '../../domain/portable/portable.ts'
import { UNTITLED_SCENARIO } from '../../domain/scenario.ts'
import type { CardFields } from '../../domain/story-card.ts'
import { isObject, objectIn } from '../../lib/objects.ts'
import { cutTo, isBlank, lengthOf } from '../../lib/text.ts'
import { parseScenario, VERSIONS } from '../inglenook/parse-scenario.ts'
import { parseLorebook, parseLoreText } from '../lore/lorebook.ts'
import { writerOf } from '../lore/writers.ts'
import { parseCover } from '../shared/cover.ts'
import { Fields, itemsIn } from '../shared/fields.ts'
import { asTemplate } from '../shared/macros.ts'
import { isUnset, type JsonContainer, ReceiptBuilder } from '../shared/receipt.ts'
import { parseGreetings } from '../shared/scenario-fields.ts'
import { CARD_HASH, isEdited } from './card-hash.ts'
import { ABOVE_ALL, originLine, PERSONALITY, SCENARIO } from './character-texts.ts'
import { archivedName, mainIcon } from './icon.ts'

const CHARACTER_KEYS = ['first_mes', 'char_greeting', 'char_name']
/** The keys of a card without an opening. */
const PERSON_KEYS = ['name', 'description', 'personality']
const MAX_ASSETS = 200

/** Recognizes a character card of any version. */
export function isCharacter(file: JsonContainer): boolean {
  if (!isObject(file)) return false
  const isCard = file.spec === 'chara_card_v2' || file.spec === 'chara_card_v3'
  if (isCard && isObject(file.data)) return true
  return [file, objectIn(file, 'data')].some((holder) => {
    const isText = (key: string) => typeof holder[key] === 'string'
    return CHARACTER_KEYS.some(isText) || PERSON_KEYS.every(isText)
  })
}

interface CharacterScenario {
  scenario: PortableScenario
  /** It comes from a complete Inglenook scenario in the card, which has its own cover. */
  isOurs: boolean
}

interface CardFile {
  /** For a card without a name. */
  title: string
  /** The picture of the file as a data URI, or ''. */
  picture: string
}

export function parseCharacter(card: Fields, { title, picture }: CardFile): CharacterScenario {
  const data = parseData(card)
  const own = parseOwnScenario(data)
  if (own) return { scenario: own, isOurs: true }
  const { name, char } = parseNames(data, title || UNTITLED_SCENARIO)
  const prompt = parseLoreText(data, ['first_mes', 'char_greeting', 'greeting'], 'Opening', { char })
  const memory = parseMemory(data, char)
  const example_dialogue = parseLoreText(data, ['mes_example', 'example_dialogue'], 'Example dialogue', {
    char,
  })
  const icon = parseIcon(data)
  const scenario: PortableScenario = {
    title: name,
    description: parseDescription(data, char === name ? '' : char),
    prompt,
    greetings: parseGreetings(data, 'alternate_greetings', (text) => asTemplate(text, char)),
    memory,
    authors_note: parseDepthPrompt(data, char),
    ai_instructions: parseInstructions(data, char),
    example_dialogue,
    tags: data.tags(),
    icon: '',
    image: picture === '' ? icon : picture,
    stat_schema: null,
    story_cards: parseBook(data, char),
    ...parseOwnStats(data),
  }
  return { scenario, isOurs: false }
}

/** The fields of a card: those in `data` count, and what that lacks is taken from beside it, as SillyTavern does. */
function parseData(card: Fields): Fields {
  card.came('File format', 'spec', 'spec_version')
  const data = card.child('data')
  if (data === null) return card
  const isSet = (key: string) => !isUnset(data.source[key])
  const { data: _, spec: _spec, spec_version: _version, ...beside } = card.source
  const inside = Object.entries(data.source).filter(([key]) => isSet(key) || !(key in beside))
  const source = { ...beside, ...Object.fromEntries(inside) }
  return new Fields(card.receipt, source, (key) => (isSet(key) || !(key in beside) ? data : card).source)
}

/** The parts that only the complete scenario has, for a card that was edited in another program. */
function parseOwnStats(data: Fields): Partial<Pick<PortableScenario, 'stat_schema' | 'icon'>> {
  const { own, key } = findOwn(data) ?? {}
  if (!own || key === undefined) return {}
  const extensions = data.child('extensions')
  extensions?.changed('Edited in another program since: only the stats are used', key)
  extensions?.came('Whether the card was edited', CARD_HASH)
  const { stat_schema, icon } = parseScenario(new Fields(new ReceiptBuilder(), own))
  return { stat_schema, icon }
}

/** The complete scenario that our own exports put in a card, so that importing it again loses nothing. */
function findOwn({ source }: Fields): { own: Record<string, unknown>; key: string } | null {
  const { extensions } = source
  if (!isObject(extensions)) return null
  const found = Object.entries(extensions).find(
    ([, value]) =>
      isObject(value) &&
      value.format === 'inglenook-scenario' &&
      value.version === VERSIONS['inglenook-scenario'],
  )
  return found ? { key: found[0], own: found[1] as Record<string, unknown> } : null
}

function parseOwnScenario(data: Fields): PortableScenario | null {
  const { own } = findOwn(data) ?? {}
  if (!own || isEdited(data.source)) return null
  const extensions = data.source.extensions as Record<string, unknown>
  data.came('The complete scenario', 'extensions')
  data.receipt.expand(extensions)
  const scenario = new Fields(data.receipt, own)
  scenario.came('File format', 'format', 'version')
  return parseScenario(scenario)
}

/** The name of a character, and what its texts call it. */
function parseNames(data: Fields, fallback: string): { name: string; char: string } {
  const short = { limit: LIMITS.name, loose: true }
  const own = data.text(['name', 'char_name'], 'Title', short)
  const nickname = data.text(['nickname'], 'What the texts call the character', short)
  const name = [own, nickname].find((one) => !isBlank(one)) ?? fallback
  return { name, char: isBlank(nickname) ? name : nickname }
}

const PERSONA: [keys: string[], heading: string][] = [
  [['description', 'char_persona', 'context'], ''],
  [['personality'], PERSONALITY],
  [['scenario', 'world_scenario'], SCENARIO],
]

/** The plot essentials of a card: what describes the character. */
function parseMemory(data: Fields, char: string): string {
  let memory = ''
  const add = (text: string) => {
    memory += `${memory === '' ? '' : '\n\n'}${text}`
  }
  for (const [keys, title] of PERSONA) {
    const heading = title || `${char}: `
    const limit = Math.max(0, LIMITS.prose - lengthOf(memory) - heading.length - 2)
    const text = parseLoreText(data, keys, 'Plot essentials', { char, limit })
    if (!isBlank(text)) add(heading + text.trim())
  }
  return cutTo(memory, LIMITS.prose)
}

function parseBook(data: Fields, char: string): CardFields[] {
  // Some writers put it among the extensions.
  const fields = data.child('character_book') ?? data.child('extensions')?.child('character_book') ?? null
  const entries = fields?.source.entries
  if (!fields || (!isObject(entries) && !Array.isArray(entries))) return []
  fields.came('Story cards', 'entries')
  const writer = writerOf(fields.source, Object.values(entries))
  return parseLorebook(itemsIn(data.receipt, entries, MAX_CARDS), { writer, char, fields })
}

function parseDescription(data: Fields, nickname: string): string {
  const notes = data.text(['creator_notes', 'creatorcomment'], 'Description', { limit: LIMITS.prose - 500 })
  const short = { limit: LIMITS.name, loose: true }
  const creator = data.text(['creator'], 'Description', short)
  const version = data.text(['character_version'], 'Description', short)
  return [notes, originLine({ creator, version, nickname })].filter((one) => !isBlank(one)).join('\n\n')
}

function parseInstructions(data: Fields, char: string): string {
  const [system = '', last = ''] = ['system_prompt', 'post_history_instructions'].map((key) =>
    parseLoreText(data, [key], 'AI instructions', { char }).trim(),
  )
  const texts = [system, last === '' ? '' : ABOVE_ALL + last]
  return cutTo(texts.filter((text) => text !== '').join('\n\n'), LIMITS.prose)
}

function parseDepthPrompt(data: Fields, char: string): string {
  const prompt = data.child('extensions')?.child('depth_prompt')
  const own = prompt ? parseLoreText(prompt, ['prompt'], 'Author’s note', { char }) : ''
  // The name that a card of version 1 has for it in SillyTavern (convertToV2 in its src/endpoints/characters.js).
  const old = parseLoreText(data, ['depth_prompt_prompt'], 'Author’s note', { char })
  return isBlank(own) ? old : own
}

/** The picture of a card that is not in a picture itself. */
function parseIcon(data: Fields): string {
  const assets = data.list(['assets'], 'Pictures and sounds', MAX_ASSETS) ?? []
  const icon = mainIcon(assets, ({ fields }) => fields.source)?.fields
  if (!icon) return ''
  icon.came('Which picture it is', 'type', 'name', 'ext')
  if (archivedName(icon.source.uri) !== null) {
    icon.came('Which file of the archive it is', 'uri')
    return ''
  }
  return parseCover(icon, ['uri'])
}

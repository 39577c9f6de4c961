import { LIMITS } from '../../limits.ts'
import { UNTITLED_SCENARIO } from '../../scenario.ts'
import type { CardFields } from '../../story-card.ts'
import { cutTo, isBlank, lengthOf } from '../../../lib/text.ts'
import { isObject } from '../../../lib/objects.ts'
import type { CarriedScenario } from '../../portable/portable.ts'
import { MOST_CARDS } from './cards.ts'
import { loreFrom, pickLore } from './lore.ts'
import { READER, withNames } from '../../../formats/shared/macros.ts'
import { ownScenarioFrom, VERSION } from './own-scenario.ts'
import { itemsOf, pick, pickList, pickTags, pickText, strings } from './pick.ts'
import { pickPicture } from './picture.ts'
import type { Holder, Reading } from '../../../formats/shared/receipt.ts'
import { keyless } from './world-info.ts'

const V1 = ['name', 'description', 'personality', 'scenario', 'first_mes', 'mes_example']
const SIGNS = ['first_mes', 'char_greeting', 'char_name']
/** Greetings that are offered as scenarios of their own. */
const MOST_GREETINGS = 20
const MOST_ASSETS = 200

/** Whether an object is a character card, of any version. */
export function isCharacter(file: Holder): boolean {
  if (!isObject(file)) return false
  if (file.spec === 'chara_card_v2' || file.spec === 'chara_card_v3') return isObject(file.data)
  return (
    SIGNS.some((key) => typeof file[key] === 'string') || (isObject(file.data) && 'first_mes' in file.data)
  )
}

/** The scenarios of a card. A whole one of ours says itself whether it has a picture. */
export interface Brought {
  scenarios: CarriedScenario[]
  isOurs: boolean
}

/**
 * The scenarios of a character card: one, and one more for each other greeting. `picture` is that of the file, a data URI
 * or ''; `title` is for a card without a name.
 */
export function scenariosFrom(
  reading: Reading,
  card: Record<string, unknown>,
  title: string,
  picture: string,
): Brought {
  const data = dataIn(reading, card)
  const own = ownCopy(reading, data)
  if (own) return { scenarios: [own], isOurs: true }
  const name = pickText(reading, data, ['name', 'char_name'], 'Name', { limit: LIMITS.name, loose: true })
  const nickname = pickText(reading, data, ['nickname'], 'Title', { limit: LIMITS.name, loose: true })
  const char = [nickname, name, title].find((one) => !isBlank(one)) ?? UNTITLED_SCENARIO
  const prompt = pickLore(reading, data, ['first_mes', 'char_greeting'], 'Opening', char)
  const lore = pickMemory(reading, data, char)
  const examples = pickLore(reading, data, ['mes_example', 'example_dialogue'], 'Notes of a card', char)
  const icon = pickIcon(reading, data)
  const scenario: CarriedScenario = {
    title: char,
    description: pickAbout(reading, data),
    prompt,
    memory: lore.memory,
    authors_note: pickDepthPrompt(reading, data, char),
    ai_instructions: pickInstructions(reading, data, char),
    tags: pickTags(reading, data, ['tags']),
    icon: '',
    image: picture === '' ? icon : picture,
    stat_schema: null,
    story_cards: [...lore.cards, ...(isBlank(examples) ? [] : [exampleCard(char, examples)])],
  }
  const others = pickGreetings(reading, data, char).map((greeting, i) => otherStart(scenario, greeting, i))
  return { scenarios: [scenario, ...others], isOurs: false }
}

function otherStart(scenario: CarriedScenario, prompt: string, i: number): CarriedScenario {
  return { ...scenario, title: cutTo(`${scenario.title} (greeting ${i + 2})`, LIMITS.name), prompt }
}

// Some writers repeat the first version's keys beside `data`, which counts.
function dataIn(reading: Reading, card: Record<string, unknown>): Record<string, unknown> {
  for (const key of ['spec', 'spec_version'])
    if (Object.hasOwn(card, key)) reading.judge('taken', card, key, 'What kind of file it is.')
  if (!isObject(card.data)) return card
  for (const key of V1)
    if (Object.hasOwn(card, key)) reading.judge('dropped', card, key, 'Said again in data, which counts.')
  reading.open(card.data)
  return card.data
}

// Our own export keeps the whole scenario in the card, so that nothing is lost on the way.
function ownCopy(reading: Reading, data: Record<string, unknown>): CarriedScenario | null {
  const { extensions } = data
  if (!isObject(extensions)) return null
  const found = Object.entries(extensions).find(
    ([, value]) => isObject(value) && value.format === 'inglenook-scenario' && value.version === VERSION,
  )
  if (!found || !isObject(found[1])) return null
  for (const key of Object.keys(data))
    reading.judge('dropped', data, key, 'Said whole in our own copy, which counts.')
  reading.judge('taken', data, 'extensions', 'Our own copy of the scenario.')
  reading.open(extensions)
  for (const key of ['format', 'version']) reading.judge('taken', found[1], key, 'What kind of file it is.')
  return ownScenarioFrom(reading, found[1])
}

function pickMemory(
  reading: Reading,
  data: Record<string, unknown>,
  char: string,
): { memory: string; cards: CardFields[] } {
  let memory = ''
  const add = (heading: string, text: string) => {
    if (!isBlank(text)) memory += `${memory === '' ? '' : '\n\n'}${heading}${text.trim()}`
  }
  const part = (keys: string[], label: string, heading: string) =>
    add(
      heading,
      pickLore(
        reading,
        data,
        keys,
        label,
        char,
        Math.max(0, LIMITS.prose - lengthOf(memory) - heading.length - 2),
      ),
    )
  part(['description', 'char_persona'], 'Plot essentials', `${char}: `)
  part(['personality'], 'Plot essentials', 'Personality: ')
  part(['scenario', 'world_scenario'], 'Plot essentials', 'Scenario: ')
  const lore = pickBook(reading, data, char)
  const fitting = lore.always.filter((card) => {
    const isFitting = lengthOf(memory) + lengthOf(card.entry) + 2 <= LIMITS.prose
    if (isFitting) add('', card.entry)
    return isFitting
  })
  const left = lore.always.filter((card) => !fitting.includes(card))
  return { memory: cutTo(memory, LIMITS.prose), cards: [...lore.cards, ...left.map(keyless)] }
}

function pickBook(reading: Reading, data: Record<string, unknown>, char: string) {
  const book = data.character_book
  if (book === null) reading.judge('taken', data, 'character_book', 'Story cards: empty.')
  if (!isObject(book)) return { always: [], cards: [] }
  reading.open(book)
  const { entries } = book
  if (!isObject(entries) && !Array.isArray(entries)) return { always: [], cards: [] }
  reading.judge('taken', book, 'entries', 'Story cards.')
  return loreFrom(reading, itemsOf(reading, entries, MOST_CARDS), char)
}

function pickAbout(reading: Reading, data: Record<string, unknown>): string {
  const notes = pickText(reading, data, ['creator_notes'], 'Description', { limit: LIMITS.prose - 500 })
  const short = { limit: LIMITS.name, loose: true }
  const creator = pickText(reading, data, ['creator'], 'Description', short)
  const version = pickText(reading, data, ['character_version'], 'Description', short)
  const by = [isBlank(creator) ? '' : `by ${creator}`, isBlank(version) ? '' : `version ${version}`]
  return [notes, by.filter(Boolean).join(', ')].filter((one) => !isBlank(one)).join('\n\n')
}

function pickInstructions(reading: Reading, data: Record<string, unknown>, char: string): string {
  const system = pickLore(reading, data, ['system_prompt'], 'AI instructions', char)
  const after = pickLore(reading, data, ['post_history_instructions'], 'AI instructions', char)
  const parts = [system, after].map((text) => text.trim())
  return cutTo(parts.filter((one) => one !== '').join('\n\n'), LIMITS.prose)
}

function pickDepthPrompt(reading: Reading, data: Record<string, unknown>, char: string): string {
  const { extensions } = data
  if (!isObject(extensions)) return ''
  reading.open(extensions)
  const { depth_prompt } = extensions
  if (!isObject(depth_prompt)) return ''
  reading.open(depth_prompt)
  return pickLore(reading, depth_prompt, ['prompt'], 'Author’s note', char)
}

function pickGreetings(reading: Reading, data: Record<string, unknown>, char: string): string[] {
  const greetings = pick(reading, data, ['alternate_greetings'], 'Other greetings', (value, key) => {
    const listed = Array.isArray(value) ? strings(value) : typeof value === 'string' ? [value] : null
    if (listed === null) return undefined
    const told = listed.filter((one) => !isBlank(one))
    const kept = told.slice(0, MOST_GREETINGS).map((one) => cutTo(withNames(one, char, READER), LIMITS.prose))
    if (told.length > kept.length)
      reading.judge('changed', data, key, `Other greetings, the first ${MOST_GREETINGS}: each a scenario.`)
    else reading.judge('taken', data, key, 'Other greetings: each is offered as a scenario of its own.')
    return kept
  })
  return greetings ?? []
}

// The picture of a card that is no picture itself.
function pickIcon(reading: Reading, data: Record<string, unknown>): string {
  const found = pickList(reading, data, ['assets'], 'Pictures and sounds', MOST_ASSETS)
  const icons = (found?.items ?? []).filter(({ item }) => item.type === 'icon')
  const main = icons.find(({ item }) => item.name === 'main') ?? icons[0]
  if (!main) return ''
  for (const key of ['type', 'name', 'ext'])
    if (Object.hasOwn(main.item, key)) reading.judge('taken', main.item, key, 'Which picture it is.')
  return pickPicture(reading, main.item, ['uri'])
}

function exampleCard(char: string, examples: string): CardFields {
  return { type: 'character', name: char, keys: '', entry: '', notes: examples }
}

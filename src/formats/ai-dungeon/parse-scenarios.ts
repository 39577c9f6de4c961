import { LIMITS } from '../../domain/limits.ts'
import type { PortableScenario } from '../../domain/portable/portable.ts'
import { UNTITLED_SCENARIO } from '../../domain/scenario.ts'
import { isObject } from '../../lib/objects.ts'
import { cutTo, isBlank } from '../../lib/text.ts'
import { type Format, planOf } from '../format.ts'
import { parseCover } from '../shared/cover.ts'
import { Fields } from '../shared/fields.ts'
import { importRefused } from '../shared/import-refused.ts'
import { ReceiptBuilder } from '../shared/receipt.ts'
import { scenarioOrigin } from '../shared/scenario-parts.ts'
import { expandFile, objectsIn, parsePlot } from './scenario-fields.ts'

/** Scenarios of one file: all ends of its trees. */
const MAX_SCENARIOS = 500
/** Story cards of all ends together: each end has those of what is above it. */
const MAX_CARDS_OF_ENDS = 50_000
/** Choices of one question. */
const MAX_OPTIONS = 100

/** The keys of the choices of a scenario, each a scenario itself. */
const OPTIONS = ['options', 'subScenarios']
const OPENINGS = ['prompt', 'promptContent']
const PLOTS = ['memory', 'authorsNote', 'storyCards', 'worldInfo', 'worldInfos', 'details']

/**
 * Scenarios of AI Dungeon as browser extensions and collections keep them: one under `data.scenario`, one alone, or a list.
 * Each end of a tree becomes a scenario.
 */
export const aiDungeonScenarios: Format = {
  kind: 'ai-dungeon-scenarios',
  matches: (file) => {
    if (isObject(file) && Object.hasOwn(file, 'format')) return false
    const [first] = objectsIn(file, 'scenario')
    if (!first) return false
    if (first !== file && !Array.isArray(file)) return isScenario(first)
    return Array.isArray(file)
      ? isScenario(first) && PLOTS.some((key) => key in first)
      : typeof first.promptContent === 'string' ||
          optionsIn(first).length > 0 ||
          scenarioOrigin(first) === 'ai dungeon'
  },
  parse: (source, title) => {
    const receipt = new ReceiptBuilder()
    expandFile(receipt, source)
    const ends = { count: 0, cards: 0 }
    const scenarios = objectsIn(source, 'scenario').flatMap((one) =>
      endsOf(new Fields(receipt, one), { title: '', prompt: '', path: [], above: null, ends }),
    )
    const named = scenarios.map((one) => ({
      ...one,
      title: isBlank(one.title) ? title || UNTITLED_SCENARIO : one.title,
    }))
    if (named.length === 0) throw importRefused('This file has no scenario with text.')
    return planOf('ai-dungeon-scenarios', { receipt, source }, { scenarios: named })
  },
}

function isScenario(one: Record<string, unknown>): boolean {
  return OPENINGS.some((key) => typeof one[key] === 'string') || optionsIn(one).length > 0
}

function optionsIn(one: Record<string, unknown>): unknown[] {
  const lists = OPTIONS.map((key) => one[key]).filter(Array.isArray)
  return lists
    .flat()
    .filter((option) => isObject(option) && OPENINGS.concat('title').some((key) => key in option))
}

/** The parts that an option has from the scenario whose choice it is. */
interface Parent {
  title: string
  prompt: string
  /** The questions above it with the choices that lead to it. */
  path: string[]
  above: PortableScenario | null
  /** Totals of the whole file, so far. */
  ends: { count: number; cards: number }
}

function endsOf(file: Fields, parent: Parent): PortableScenario[] {
  const plot = parsePlot(file)
  const prompt = file.text(OPENINGS, 'Opening')
  const own: PortableScenario = {
    title: cutTo([parent.title, plot.title].filter((one) => !isBlank(one)).join(': '), LIMITS.name),
    description: file.text(['description'], 'Description') || parent.above?.description || '',
    prompt: prompt || parent.prompt,
    greetings: [],
    memory: plot.memory || parent.above?.memory || '',
    authors_note: plot.authors_note || parent.above?.authors_note || '',
    ai_instructions: plot.ai_instructions || parent.above?.ai_instructions || '',
    example_dialogue: '',
    tags: file.tags() || parent.above?.tags || '',
    icon: '',
    image: parseCover(file, ['image']),
    stat_schema: null,
    story_cards: plot.story_cards.length > 0 ? plot.story_cards : (parent.above?.story_cards ?? []),
  }
  const options = OPTIONS.flatMap((key) => file.list([key], 'Choices: a scenario each', MAX_OPTIONS) ?? [])
  if (options.length === 0) {
    if (++parent.ends.count > MAX_SCENARIOS)
      throw importRefused(`This file has more than ${MAX_SCENARIOS} scenarios.`)
    parent.ends.cards += own.story_cards.length
    if (parent.ends.cards > MAX_CARDS_OF_ENDS)
      throw importRefused(
        `The scenarios of this file have more than ${MAX_CARDS_OF_ENDS} story cards together.`,
      )
    return [withPath(own, parent.path)]
  }
  file.changed(
    'Question, added to the description of each choice',
    OPENINGS.find((key) => file.has(key)) ?? 'prompt',
  )
  return options.flatMap(({ fields }) => {
    const choice = typeof fields.source.title === 'string' ? fields.source.title : ''
    const path = [...parent.path, `${prompt.trim()} ${choice}`.trim()]
    return endsOf(fields, { title: own.title, prompt: '', path, above: own, ends: parent.ends })
  })
}

function withPath(scenario: PortableScenario, path: readonly string[]): PortableScenario {
  const texts = [scenario.description, ...path].filter((text) => !isBlank(text))
  return { ...scenario, description: cutTo(texts.join('\n\n'), LIMITS.prose) }
}

import { describe, expect, test } from 'bun:test'
import { splitKeys } from '../../src/domain/cards/keys.ts'
import { LIMITS } from '../../src/domain/limits.ts'
import type { StarterScenario } from '../../src/domain/scenario.ts'
import { beginningOf, questionsOf } from '../../src/domain/start-from-scenario.ts'
import { questionsIn } from '../../src/domain/text/placeholder.ts'
import { timingLinter } from '../../src/domain/timing/timing-lint.ts'
import { lengthOf } from '../../src/lib/text.ts'
import { LANTERN_SHELF as plain } from '../../src/practice/starters/lantern-shelf.ts'
import { LAST_FERRY as small } from '../../src/practice/starters/last-ferry.ts'
import { NINE_BELLS as full } from '../../src/practice/starters/nine-bells.ts'
import { STARTERS } from '../../src/practice/starters/starters.ts'

interface StatDef {
  type?: string
  initial?: number | string
  min?: number
  max?: number
  max_delta_per_turn?: number
  cooldown?: number
  max_length?: number
  bands?: [number, number, string][]
  desc?: string
}

interface Schema {
  world?: Record<string, StatDef>
  player?: Record<string, StatDef>
  npcs?: Record<string, { name: string; keys: string; desc: string; stats: Record<string, StatDef> }>
  flags?: Record<string, { initial: boolean; desc: string }>
  milestones?: Record<string, { desc: string }>
}

const schemaOf = ({ stat_schema }: StarterScenario) => (stat_schema ?? {}) as Schema

/** Every stat with its path. */
function statsOf(starter: StarterScenario): [string, StatDef][] {
  const { world = {}, player = {}, npcs = {} } = schemaOf(starter)
  const section = (path: string, stats: Record<string, StatDef>) =>
    Object.entries(stats).map(([name, def]): [string, StatDef] => [`${path}.${name}`, def])
  return [
    ...section('world', world),
    ...section('player', player),
    ...Object.entries(npcs).flatMap(([id, { stats }]) => section(`npc.${id}`, stats)),
  ]
}

function sorted(values: Iterable<string>): string[] {
  return [...values].sort()
}

const byTitle = STARTERS.map((starter): [string, StarterScenario] => [starter.title, starter])
const stats = STARTERS.flatMap(statsOf)

test('there are three, each with a title of its own', () => {
  expect(new Set(STARTERS.map(({ title }) => title)).size).toBe(3)
})

describe.each(byTitle)('%s', (_, starter) => {
  test('keeps within the limits of its fields', () => {
    expect(lengthOf(starter.title)).toBeWithin(1, LIMITS.name + 1)
    expect(lengthOf(starter.tags)).toBeWithin(1, LIMITS.tags + 1)
    expect(lengthOf(starter.icon)).toBeWithin(1, LIMITS.icon + 1)
    for (const text of [starter.description, starter.memory, starter.authors_note, starter.ai_instructions])
      expect(lengthOf(text)).toBeWithin(40, LIMITS.prose)
  })

  test('opens in 90 to 180 words that stand in whole sentences', () => {
    expect(starter.prompt.split(/\s+/).length).toBeWithin(90, 181)
    expect(starter.prompt).toMatch(/[.?!]["”]?$/)
  })

  test('has four to seven cards, each with keys and an entry', () => {
    expect(starter.story_cards.length).toBeWithin(4, 8)
    for (const card of starter.story_cards) {
      expect(lengthOf(card.type)).toBeWithin(1, LIMITS.cardType + 1)
      expect(lengthOf(card.name)).toBeWithin(1, LIMITS.name + 1)
      expect(splitKeys(card.keys).length > 0 || card.timing != null).toBe(true)
      expect(timingLinter(starter.stat_schema, starter.story_cards)(card)).toEqual([])
      for (const key of splitKeys(card.keys)) expect(key.length).toBeGreaterThan(2)
      expect(card.entry.length).toBeGreaterThan(40)
    }
  })

  test('begins with no question left open once its questions are answered', () => {
    const cards = starter.story_cards.map((card, i) => ({
      ...card,
      id: i + 1,
      scenario_id: 1,
      adventure_id: null,
    }))
    const answers = Object.fromEntries(questionsOf(starter, cards).map((question) => [question, 'Robin']))
    const scenario = { ...starter, id: 1, image: '', created_at: '', updated_at: '' }
    const begun = JSON.stringify(beginningOf(scenario, cards, answers))
    expect(begun).not.toContain('${')
  })

  test('knows only the parts of a schema', () => {
    const known = ['world', 'player', 'npcs', 'flags', 'milestones', 'checks']
    expect(known).toEqual(expect.arrayContaining(Object.keys(schemaOf(starter))))
  })
})

test.each(stats)('%s starts inside its range, and every value of it has one band', (path, stat) => {
  expect(path).toMatch(/^[a-z_.]+$/)
  expect([undefined, 'counter', 'text']).toContain(stat.type)
  expect(stat.desc).toBeString()
  if (stat.type === 'text') {
    expect(lengthOf(String(stat.initial))).toBeWithin(1, (stat.max_length ?? 0) + 1)
    return
  }
  const { initial, min = Number.NaN, max = Number.NaN, bands = [] } = stat
  expect(initial).toBeNumber()
  expect(Number(initial)).toBeWithin(min, max + 1)
  expect(stat.max_delta_per_turn).toBeWithin(1, max - min + 1)
  for (const [i, [low, high, label]] of bands.entries()) {
    expect(low).toBe(i === 0 ? min : (bands[i - 1]?.[1] ?? Number.NaN))
    expect(high).toBeGreaterThan(low)
    expect(label).not.toBe('')
  }
  if (bands.length > 0) expect(bands.at(-1)?.[1]).toBe(max)
})

describe('from plain to rich', () => {
  test('the first has no stats, the second a few and checks', () => {
    expect(plain.stat_schema).toBeNull()
    expect(statsOf(small).length).toBeWithin(2, 4)
    expect(Object.keys(schemaOf(small).flags ?? {})).toHaveLength(1)
    expect(sorted(Object.keys(schemaOf(small)))).toEqual(['checks', 'flags', 'player', 'world'])
  })

  test('the third uses everything that a schema knows', () => {
    const { npcs = {}, flags = {}, milestones = {}, ...sections } = schemaOf(full)
    const own = statsOf(full).map(([, stat]) => stat)
    expect(sorted(Object.keys(sections))).toEqual(['player', 'world'])
    expect(sorted(new Set(own.map(({ type = 'number' }) => type)))).toEqual(['counter', 'number', 'text'])
    for (const key of ['bands', 'min', 'max', 'max_delta_per_turn', 'cooldown', 'max_length'] as const)
      expect(own.some((stat) => stat[key] !== undefined)).toBe(true)
    expect(Object.keys(npcs)).toHaveLength(2)
    for (const { name, keys, desc, stats: theirs } of Object.values(npcs)) {
      for (const text of [name, keys, desc]) expect(text).not.toBe('')
      expect(Object.keys(theirs).length).toBeGreaterThan(0)
    }
    expect(Object.keys(flags).length).toBeGreaterThan(0)
    expect(Object.keys(milestones).length).toBeGreaterThan(0)
  })

  test('only the third asks questions', () => {
    const asked = STARTERS.map((starter) => questionsOf(starter, starter.story_cards))
    expect(asked).toEqual([
      [],
      [],
      ['Your name', 'A keepsake (such as a silver whistle)', 'The quarter where you grew up'],
    ])
    const cards = full.story_cards
    for (const texts of [
      [full.prompt],
      [full.memory],
      cards.map(({ keys }) => keys),
      cards.map(({ entry }) => entry),
    ])
      expect(questionsIn(texts)).not.toEqual([])
  })
})

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { StoryError } from '../../src/domain/errors.ts'
import type { ImportPlan } from '../../src/domain/portable/portable.ts'
import { parseFile } from '../../src/formats/detect.ts'
import { archivedFiles } from '../../src/formats/zip/archived-files.ts'
import { bytesInMemory } from '../../src/formats/zip/byte-source.ts'
import { isObject } from '../../src/lib/objects.ts'
import { depth } from '../support/depth.ts'
import { type ByafJson, byafOf } from '../support/files/byaf.ts'
import { noisyPng, PICTURE } from '../support/files/card-png.ts'
import { readUpload } from '../support/files/planned.ts'
import { faultsOf } from '../support/files/receipt-faults.ts'
import { mutated } from './mutations.ts'
import { sample } from './samples.ts'

const files = (): ByafJson => sample('archives/byaf.json')
const one = 'scenarios/one.json'
const two = 'scenarios/two.json'
const parse = (json: ByafJson) => parseFile(byafOf(json), 'odo.byaf')
const IMAGE = `data:image/png;base64,${PICTURE}`

describe('an archive of Backyard', () => {
  test('is one file, and not several', () => {
    expect(archivedFiles(bytesInMemory(byafOf(files())))).toBeNull()
  })

  test('has folders that are nothing of its own', () => {
    const folders = { 'characters/': '', 'scenarios/': '', ...files() }
    expect(parse(folders).receipt).toEqual(parse(files()).receipt)
  })

  test('has a scenario for each of its own', () => {
    const { kind, scenarios } = parse(files())
    expect(kind).toBe('backyard')
    expect(scenarios).toEqual([
      {
        title: 'Odo: The stall',
        description: 'https://author.example/m\n\nby M.',
        prompt: 'Sit, ${Your name}.',
        greetings: [],
        memory: 'Odo: Odo is a broker. He owes ${Your name} nothing.\n\nScenario: A night market.',
        authors_note: '',
        ai_instructions: 'Be dry, Odo.',
        example_dialogue: '<START>\n${Your name}: hi\nOdo: no.',
        tags: '',
        icon: '',
        image: IMAGE,
        stat_schema: null,
        story_cards: [{ type: '', name: 'coin', keys: 'coin, purse', entry: 'Coins are cold.', notes: '' }],
      },
    ])
  })

  test('has a story where there are messages, with the chosen versions', () => {
    const [story] = parse(files()).adventures
    expect(story?.scenario).toMatchObject({ title: 'Odo: 2', image: IMAGE })
    expect(story).toMatchObject({
      title: 'Odo: 2',
      story_cards: [{ keys: 'coin, purse', source_ref: 'card:0' }],
    })
    expect(story?.actions.map(({ type, text }) => `${type}: ${text}`)).toEqual([
      'start: You again.',
      'story: I pay.',
      'ai: He counts.',
    ])
    expect(story?.actions[2]).toMatchObject({
      created_at: '2026-01-02T00:02:00.000Z',
      variant_index: 0,
      variants: [{ text: 'He counts.' }, { text: 'He laughs.' }],
    })
  })

  test('names every key of every file once', () => {
    const json = files()
    const { receipt } = parse(json)
    expect(faultsOf({ ...json, 'characters/odo/images/odo.png': true }, receipt)).toEqual([])
  })

  test('with one scenario has the name of the character', () => {
    const json = files()
    const manifest = { ...(json['manifest.json'] as object), scenarios: [one] }
    expect(parse({ ...json, 'manifest.json': manifest }).scenarios.map(({ title }) => title)).toEqual(['Odo'])
    expect(parse({ ...json, 'manifest.json': { ...manifest, scenarios: [] } }).scenarios).toHaveLength(1)
  })

  test('has a picture that is scaled down where it is too large, also for its stories', async () => {
    const bytes = byafOf(files(), noisyPng(700, 700))
    expect(parseFile(bytes, 'a').scenarios[0]?.image).toBe('')
    const { preview, files: plans } = await readUpload({ bytes, name: 'a' })
    const images = plans.flatMap(({ scenarios, adventures }) => [
      scenarios[0]?.image,
      adventures[0]?.scenario?.image,
    ])
    expect(images).toEqual(Array(2).fill(expect.stringMatching(/^data:image\/webp/)))
    expect(preview.receipt.changed).toContainEqual({
      what: expect.stringContaining('scaled down'),
      count: 1,
      keys: ['["characters/odo/images/odo.png"]'],
    })
  })

  const refused: [what: string, change: (json: ByafJson) => void][] = [
    ['a character', (json) => delete json['characters/odo/character.json']],
    ['a list of characters', (json) => Object.assign(json['manifest.json'] as object, { characters: 5 })],
    [
      'a path that is one of its files',
      (json) => Object.assign(json['manifest.json'] as object, { characters: ['../odo.json'] }),
    ],
  ]
  for (const [what, change] of refused)
    test(`without ${what} is refused`, () => {
      const json = files()
      change(json)
      expect(() => parse(json)).toThrow('has no character that can be read')
    })

  test('is read or refused whatever is in its files', () => {
    const json = files()
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 12 }), (dice) => {
        const plan = tried(mutated(json, dice))
        if (plan) expect(plan.scenarios.length + plan.adventures.length).toBeGreaterThan(0)
      }),
      { numRuns: depth('FILES') },
    )
  })

  test('has no picture where its path is none', () => {
    const json = files()
    Object.assign(json['characters/odo/character.json'] as object, { images: [{ path: { toString: 'x' } }] })
    expect(parse(json).scenarios[0]?.image).toBe('')
  })

  test('keeps the other scenarios where one is broken', () => {
    expect(parse({ ...files(), [two]: 'x' }).scenarios).toHaveLength(1)
  })
})

function tried(json: unknown): ImportPlan | null {
  try {
    return parse(isObject(json) ? json : {})
  } catch (error) {
    if (error instanceof StoryError) return null
    throw error
  }
}

import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import type { PortableAdventure } from '../../src/domain/portable/portable.ts'
import { parseFile } from '../../src/formats/detect.ts'
import { makeScenario } from '../../src/formats/inglenook/make-scenario.ts'
import { isGzip } from '../../src/lib/bytes.ts'
import { runs } from '../support/depth.ts'
import { makeAdventure } from '../support/files/make.ts'
import { AT, LAMP_ROAD, lampStory } from '../support/files/portable.ts'
import { EMPTY, prose, randomStory } from '../support/files/random-story.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test('what is written and read is written alike again, over a thousand libraries', () => {
  fc.assert(
    fc.property(randomStory, (adventure) => {
      const file = makeAdventure(adventure, AT)
      const [read] = parseFile(bytes(file), '').adventures
      expect(read && makeAdventure(read, AT)).toBe(file)
    }),
    { numRuns: runs(1_000), endOnFailure: true },
  )
})

test('so is a story whose numbers do not add up', () => {
  const told = { ...EMPTY, type: 'ai', created_at: null, variants: [] }
  const judged = (hp: number, was: number) => ({
    world_state_before: { player: { hp: was } },
    world_delta: {
      delta: { 'player.hp': hp },
      applied: [{ path: 'player.hp', old: was, new: hp }],
      verdicts: [{ path: 'player.hp', asked: hp, given: hp, old: was, new: hp, verdict: 'applied' }],
    },
  })
  const adventure = {
    ...lampStory(),
    stat_schema: { player: { hp: { min: 0, max: 100, initial: 100 } } },
    world_state: {
      world: {},
      player: { hp: 7 },
      npc: {},
      milestones: {},
      flags: {},
      _meta: { last_changed: {} },
    },
    scenario: null,
    memories: [],
    actions: [
      { ...EMPTY, type: 'start', text: 'Dusk.', created_at: null, variants: [] },
      { ...told, text: 'A step.', ...judged(90, 100) },
      { ...told, text: 'Another.', ...judged(40, 55) },
      { ...told, text: 'Nobody judged it.', world_state_before: { player: { hp: 12 } } },
      { ...EMPTY, type: 'do', text: 'You wait.', created_at: null, variants: [] },
    ],
  }
  const file = makeAdventure(adventure as PortableAdventure, AT)
  const [read] = parseFile(bytes(file), '').adventures
  expect(JSON.stringify(read).split('"break":"import"').length).toBeGreaterThan(1)
  expect(read && makeAdventure(read, AT)).toBe(file)
})

test('a file of version 1, which has the text of a live version twice, reads like one of today', () => {
  const read = (name: string) => parseFile(readFileSync(join(import.meta.dir, 'golden', name)), '')
  expect(read('lamp.inglenook-1.json').adventures).toEqual(read('lamp.inglenook.json').adventures)
})

test('and each text is in the file once', () => {
  fc.assert(
    fc.property(prose, prose, (text, other) => {
      const told = { text: `A ${text}`, reasoning: null, created_at: null, raw_output: `A ${text} B` }
      const retried = { ...told, text: `C ${other}`, raw_output: 'D' }
      const action = {
        ...EMPTY,
        type: 'ai',
        text: told.text,
        created_at: null,
        variants: [retried, told],
        variant_index: 1,
      }
      const file = makeAdventure({ ...lampStory(), actions: [action] }, AT)
      expect(file.split(JSON.stringify(told.text).slice(1, -1))).toHaveLength(2)
      const [read] = parseFile(bytes(file), '').adventures
      expect(read?.actions[0]?.variants).toEqual(action.variants)
    }),
  )
})

test('so is a scenario', () => {
  const scenario = makeScenario(LAMP_ROAD, AT)
  const [again] = parseFile(bytes(scenario), '').scenarios
  expect(again && makeScenario(again, AT)).toBe(scenario)
})

test('and a file that was packed because it is large', () => {
  const text = makeAdventure(lampStory(), AT)
  const padded = bytes(`${text}${' '.repeat(17 * 1024 * 1024)}`)
  const file = new Uint8Array(gzipSync(padded))
  expect([isGzip(padded), isGzip(file), file.length < padded.length / 10]).toEqual([false, true, true])
  const read = (from: Uint8Array) => parseFile(from, 'lamp.json.gz')
  expect(read(file)).toEqual(read(bytes(text)))
})

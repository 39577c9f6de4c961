import { expect, test } from 'bun:test'
import type { WorldChange } from '../../src/domain/action.ts'
import { lintSchema } from '../../src/domain/world/lint.ts'
import { readRules } from '../../src/domain/world/rules.ts'
import { schemaFromForm } from '../../src/domain/world/schema-form.ts'
import { schemaErrors } from '../../src/domain/world/validate-schema.ts'
import { StateDifferences } from '../../src/views/panels/state-differences.tsx'
import { Changes } from '../../src/views/play/passage/changes.tsx'

const schema = (better?: unknown) => ({
  player: { cold: { desc: 'Cold', min: 0, max: 9, initial: 3, better } },
})

const moved = (delta: number): WorldChange => ({
  kind: 'stat',
  path: 'player.cold',
  label: 'cold',
  verdict: 'applied',
  delta,
  value: 3 + delta,
  asked: delta,
  clamped: false,
})

/** What is said of a change, by which a screen reader knows it too. */
const toneOf = (better: unknown, delta: number) =>
  /, (better|worse)</.exec((<Changes changes={[moved(delta)]} rules={readRules(schema(better))} />).html)?.[1]

test('a change is for the better or the worse where the author says which way that is', () => {
  const tones = ['up', 'down', undefined, 'sideways'].map((better) => [2, -2].map((by) => toneOf(better, by)))
  expect(tones).toEqual([
    ['better', 'worse'],
    ['worse', 'better'],
    [undefined, undefined],
    [undefined, undefined],
  ])
  expect(toneOf('up', 0)).toBeUndefined()
  expect((<Changes changes={[moved(2)]} rules={null} />).html).not.toContain('better')
})

test('a change of a character has the name of the character, not its id', () => {
  const rules = readRules({ npcs: { ysolde: { name: 'Ysolde Marrow', stats: { trust: {} } } } })
  const change: WorldChange = { ...moved(2), path: 'npc.ysolde.trust', label: 'ysolde trust' }
  const words = (known: typeof rules | null) => (<Changes changes={[change]} rules={known} />).html
  expect(words(rules)).toContain('<span>trust of Ysolde Marrow +2')
  expect(words(null)).toContain('<span>ysolde trust +2')
})

test('the form of the stats sets and removes it, and it is a known field of a valid schema', () => {
  const set = schemaFromForm({ 'better:player.cold': 'down' }, schema()).schema
  expect(set).toEqual(schema('down'))
  expect(schemaFromForm({ 'better:player.cold': '' }, set).schema).toEqual(schema())
  expect(schemaFromForm({}, set).schema).toEqual(set)
  expect([schemaErrors(set), lintSchema(set)]).toEqual([[], []])
})

test('stats that differ between two versions have names, not paths', () => {
  const differences = ['player.lamp_oil', 'npc.brisa.trust', 'flags.lamp_lit'].map((path) => ({
    path,
    one: 1,
    other: 2,
  }))
  const { html } = <StateDifferences differences={differences} one="Version 1" other="Version 2" />
  expect(html.match(/(?<=<th scope="row">)[^<]*/g)).toEqual(['lamp oil', 'brisa trust', 'lamp lit'])
})

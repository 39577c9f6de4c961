import { expect, test } from 'bun:test'
import { playForm } from '../../support/service/form-turn.ts'
import { startServer } from '../../support/service/server.ts'

const server = await startServer()
const checks = {
  '<b>Jump</b>': {
    dice: '1d20',
    difficulties: [
      { name: 'low', number: 5 },
      { name: '"high"', number: 15 },
    ],
    player_picks_difficulty: true,
    outcomes: [{ name: '<i>over</i>' }],
    reroll: {},
  },
}
const { id: scenario_id } = (
  await server.post('/api/scenarios', { prompt: 'A wall.', stat_schema: { checks } })
).body
const begin = async (): Promise<number> => (await server.post('/api/adventures', { scenario_id })).body.id
/** Sends a form, and reads its answer to the end. Returns the status. */
async function send(path: string, fields: Record<string, string>): Promise<number> {
  const answer = await server.ask(path, { method: 'POST', body: new URLSearchParams(fields) })
  await answer.text()
  return answer.status
}
const page = async (id: number) => (await server.ask(`/adventures/${id}`)).text()
const actions = async (id: number) => (await server.get(`/api/adventures/${id}`)).body.actions

test('a story with checks offers Try, and others do not', async () => {
  const shown = await page(await begin())
  expect(shown).toContain('value="try"')
  // What is thrown stands above the choices, which alone fit into the width of a phone.
  expect(shown).toMatch(/<optgroup label="&lt;b(&gt;|>)Jump&lt;[/]b(&gt;|>): 1d20"><option/)
  expect(shown).toContain('&lt;b&gt;Jump&lt;/b&gt;, low 5</option>')
  const { id } = (await server.post('/api/adventures', { title: 'Plain' })).body
  expect(await page(id)).not.toContain('"try"')
})

test('without script a try is played, shown and rolled again, in a story without stats', async () => {
  const id = await begin()
  const attempt = JSON.stringify(['<b>Jump</b>', '"high"'])
  await playForm(server, id, { type: 'try', text: '', attempt })
  const [, line, told] = await actions(id)
  expect(line.roll).toMatchObject({ check: '<b>Jump</b>', against: 15, rerolls: 0 })
  const shown = await page(id)
  expect(shown).toContain('<strong>&lt;i&gt;over&lt;/i&gt;</strong>')
  expect(shown).toContain('Roll again')
  expect(told.text).toContain('<i>over</i>')
  await playForm(server, id, { again: '1' })
  const [, again, retold] = await actions(id)
  expect([again.roll.rerolls, retold.roll, retold.variant_count]).toEqual([1, again.roll, 2])
})

test('rolling again is offered as long as the story has its price', async () => {
  const check = { ...checks['<b>Jump</b>'], stat: null, reroll: { 'player.luck': -1 } }
  const stat_schema = { player: { luck: { initial: 1, min: 0, max: 3 } }, checks: { Jump: check } }
  const story = await server.post('/api/scenarios', { prompt: 'A wall.', stat_schema })
  const { id } = (await server.post('/api/adventures', { scenario_id: story.body.id })).body
  const played = async (fields: Record<string, string>) => (await playForm(server, id, fields)).page
  const offer = /name="again"[^>]*>Roll again: luck −1</
  const refusal = 'Roll again: luck −1, which is more than you have'
  const first = await played({ type: 'try', text: '', attempt: JSON.stringify(['Jump', 'low']) })
  expect(first).toMatch(offer)
  const second = await played({ again: '1' })
  expect(second).toContain(refusal)
  expect(second).not.toMatch(offer)
})

test('a choice that no story offers is refused, and nothing is stored', async () => {
  const id = await begin()
  for (const attempt of ['', 'null', '{}', '["Swim"]', JSON.stringify(['<b>Jump</b>', 'absurd'])]) {
    expect(await send(`/adventures/${id}/turns`, { type: 'try', text: 'jump', attempt })).toBe(422)
    expect(await actions(id)).toHaveLength(1)
  }
})

test('an author adds a check in the form', async () => {
  const { id } = (await server.post('/api/scenarios', { title: 'New' })).body
  const base = (schema: object) => ({ base: JSON.stringify(schema), do: 'save' })
  await send(`/scenarios/${id}/stats`, { ...base({}), do: 'add:checks' })
  const named = {
    'name:checks.': 'Climb',
    'dice:checks.': '3d6',
    'difficulties:checks.': 'steep 12',
    'outcomes:checks.': 'you fall\n0 you are up',
  }
  await send(`/scenarios/${id}/stats`, { ...base({ checks: { '': {} } }), ...named })
  expect((await server.get(`/api/scenarios/${id}`)).body.stat_schema).toEqual({
    checks: {
      Climb: {
        dice: '3d6',
        difficulties: [{ name: 'steep', number: 12 }],
        outcomes: [{ name: 'you fall' }, { name: 'you are up', from: 0 }],
      },
    },
  })
})

test('an undone try comes back as one, with what was typed and nothing else', async () => {
  const id = await begin()
  const attempt = JSON.stringify(['<b>Jump</b>', '"high"'])
  for (const text of ['', 'leap the wall']) {
    await playForm(server, id, { type: 'try', text, attempt })
    const { body } = await server.post(`/api/adventures/${id}/undo`)
    expect(body.typed).toEqual({ type: 'try', text })
  }
  const shown = await page(id)
  expect(shown).toContain('value="try" checked')
  expect(shown).toMatch(/leap the wall\s*<\/textarea>/)
})

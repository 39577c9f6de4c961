import { expect, test } from 'bun:test'
import { lintSchema } from '../../src/domain/world/lint.ts'
import { schemaFromForm } from '../../src/domain/world/schema-form.ts'
import { startServer } from '../support/service/server.ts'

const SECTIONS = ['world', 'player', 'npcs', 'flags', 'milestones'] as const

for (const section of SECTIONS)
  test(`a new entry of ${section} is in no story before it is named`, async () => {
    const server = await startServer()
    const { body: scenario } = await server.post('/api/scenarios', { title: 'Rock' })
    const send = (fields: Record<string, string>) =>
      server.ask(`/scenarios/${scenario.id}/stats`, { method: 'POST', body: new URLSearchParams(fields) })
    const schema = async () => (await server.get(`/api/scenarios/${scenario.id}`)).body.stat_schema
    const form = async () => (await server.ask(`/scenarios/${scenario.id}/edit?tab=stats`)).text()
    const fieldsIn = (html: string, name: RegExp) => [...html.matchAll(name)].map(([, field = '']) => field)

    await send({ base: '{}', do: `add:${section}` })
    expect(await schema()).toBeNull()
    await send({ base: JSON.stringify(await drafted(await form())), do: `add:${section}` })
    expect(await schema()).toBeNull()

    const html = await form()
    expect(html).toContain(' a name. Until then, new stories use the last valid version')
    expect(html).not.toMatch(/Problems|class="bad"/)
    const names = fieldsIn(html, /<input name="(name:[^"]*)"/g)
    expect(names).toHaveLength(2)
    const named = Object.fromEntries(names.map((field, i) => [field, `own_${i}`]))
    await send({ base: JSON.stringify(await drafted(html)), do: 'save', ...named })
    expect(Object.keys((await schema())[section])).toEqual(['own_0', 'own_1'])
  })

/** The schema that the form was made from. */
async function drafted(html: string): Promise<unknown> {
  const [, base = '{}'] = /<input type="hidden" name="base" value="([^"]*)">/.exec(html) ?? []
  return JSON.parse(base.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
}

test('a check goes on with the stat that is named anew, and nothing is suggested of one without a name', () => {
  const base = {
    player: { nerve: {}, ' ': {} },
    npcs: { mira: { stats: { trust: {} } } },
    checks: { climb: { dice: '2d6', stat: 'player.nerve', difficulties: [] } },
  }
  const { schema } = schemaFromForm(
    {
      'name:player.nerve': 'courage',
      'name:npc.mira': 'mirabel',
      'name:npc.mira.trust': 'faith',
      'dice:checks.climb': '2d6',
      'stat:checks.climb': 'player.nerve',
      'outcomes:checks.climb': '0 success: npc.mira.trust +1; player.nerve -1',
    },
    base,
  )
  expect(schema.checks).toMatchObject({
    climb: {
      stat: 'player.courage',
      outcomes: [{ effects: { 'npc.mirabel.faith': 1, 'player.courage': -1 } }],
    },
  })
  expect(new Set(lintSchema(schema).map(({ path }) => path))).toEqual(
    new Set(['player.courage', 'npc.mirabel.faith']),
  )
  const unnamed = { player: { '': {} }, npcs: { '': { stats: { trust: {} } }, odo: { stats: { ' ': {} } } } }
  expect(lintSchema({ ...unnamed, flags: { '': {} }, milestones: { ' ': {} } })).toEqual([])
})

test('problems and suggestions call the stat of a character as the model does', async () => {
  const server = await startServer()
  const { body: scenario } = await server.post('/api/scenarios', { title: 'Rock' })
  await server.ask(`/scenarios/${scenario.id}/stats`, {
    method: 'POST',
    body: new URLSearchParams({
      base: JSON.stringify({ npcs: { mira: { stats: { trust: {} } } } }),
      'type:npc.mira.trust': 'number',
      'max:npc.mira.trust': 'much',
      do: 'save',
    }),
  })
  const page = await server.ask(`/scenarios/${scenario.id}/edit?tab=stats`)
  const paths = [...(await page.text()).matchAll(/<li>\s*<code>([^<]*)/g)].map(([, path]) => path)
  expect(paths).toContain('npc.mira.trust.max')
  expect(paths).toContain('npc.mira.trust')
})

test('a check that names what does not exist says so in words, with the name that is near', async () => {
  const server = await startServer()
  const { body: scenario } = await server.post('/api/scenarios', {
    title: 'Rock',
    stat_schema: { player: { lamp_oil: {}, nerve: { type: 'text' } } },
  })
  const difficulties = [{ name: 'hard', number: 12 }]
  const outcomes = [{ name: 'failure', effects: { 'player.Lamp Oyl': -2, 'player.nerve': 3 } }]
  const schema = {
    player: { lamp_oil: {}, nerve: { type: 'text' } },
    checks: { 'Row on/off': { dice: '2d6', stat: 'player.lampoil', difficulties, outcomes } },
  }
  const body = new URLSearchParams({ do: 'save', base: JSON.stringify(schema) })
  await server.ask(`/scenarios/${scenario.id}/stats`, { method: 'POST', body })
  const html = await (await server.ask(`/scenarios/${scenario.id}/edit?tab=stats`)).text()
  const [, remarks = ''] = /<h3>Problems<\/h3><ul>(.*?)<\/ul>/.exec(html) ?? []
  expect(remarks.match(/(?<=<li>).*?(?=<\/li>)/g)).toEqual([
    'Check “Row on/off”, stat added must be the path of a number, such as player.strength (did you mean “lamp oil”?)',
    'Check “Row on/off”, outcome 1: “Lamp Oyl” is not a stat, flag or milestone of this scenario (did you mean “lamp oil”?)',
    'Check “Row on/off”, outcome 1: “nerve” must be words',
  ])
  expect(html).toContain('<option value="player.lampoil" selected>lampoil (no such stat)</option>')
})

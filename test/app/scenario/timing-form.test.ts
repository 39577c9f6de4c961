import { expect, test } from 'bun:test'
import { startServer } from '../../support/service/server.ts'

const server = await startServer()
const STATS = {
  player: { health: { initial: 10, min: 0, max: 20 } },
  npcs: { brisa: { name: 'Brisa' } },
  flags: { lit: { initial: false } },
  checks: { Ring: { dice: '2d6', difficulties: [{ name: 'far', number: 9 }] } },
}
const scenario = (await server.post('/api/scenarios', { title: 'Timed', stat_schema: STATS })).body.id

const newCard = async () =>
  (await server.post('/api/story-cards', { scenario_id: scenario, name: 'The bell', entry: 'It rings.' }))
    .body
const stored = async (id: number) =>
  (await server.get(`/api/story-cards?scenario_id=${scenario}`)).body.find(
    (card: { id: number }) => card.id === id,
  )
const send = (id: number, fields: Record<string, string>) =>
  server.ask(`/story-cards/${id}`, { method: 'POST', body: new URLSearchParams(fields) })
const page = async () => (await server.ask(`/scenarios/${scenario}/edit?tab=cards`)).text()

test('the form of a card says when and how often, without script, and shows it again', async () => {
  const { id, timing } = await newCard()
  expect(timing).toBeUndefined()
  const fields = {
    'what-0': 'player.health',
    'is-0': 'at most',
    'value-0': '5',
    'what-1': 'flags.lit',
    'is-1': 'at least',
    'value-1': 'Yes',
    'what-2': 'card The bell',
    'is-2': 'is',
    'value-2': 'no',
    'what-3': 'present npc.brisa',
    'value-3': '',
    'what-4': '',
    'value-4': 'forgotten',
    once: '1',
    chance: '50',
    group: ' bells ',
    check: 'Ring',
    difficulty: 'far',
  }
  const saved = await send(id, fields)
  // A browser opens what the address points into.
  expect(saved.headers.get('location')).toEndWith(`#card-${id}`)
  expect((await stored(id)).timing).toEqual({
    when: [
      { kind: 'stat', of: 'player.health', is: 'at most', value: 5 },
      { kind: 'flag', of: 'flags.lit', is: 'is', value: true },
      { kind: 'card', of: 'The bell', is: 'is', value: false },
      { kind: 'present', of: 'npc.brisa', is: 'is', value: true },
    ],
    how: { once: true, chance: 50, group: 'bells', check: 'Ring', difficulty: 'far' },
  })
  const html = await page()
  expect(html).toContain('when health is at most 5 · when lit is yes')
  expect(html).toContain('when brisa is present')
  expect(html).toMatch(new RegExp(`</summary>(<p.*?</p>)*<form id="card-${id}"`))
  expect(html).toContain('calls for the check “Ring” · at the difficulty “far”')
  expect(html).toMatch(/<option value="far" selected[^>]*>far</)
  expect(html).toContain('value="card The bell"')
  expect(html).toContain('value="present npc.brisa"')
  expect(html).toContain('No other card is in the group “bells”.')
  await send(id, { 'what-0': '' })
  expect((await stored(id)).timing).toBeUndefined()
})

test('what cannot be is refused with a sentence, and what was typed stays', async () => {
  const { id } = await newCard()
  const refusals: [Record<string, string>, string][] = [
    [{ 'what-0': 'flags.lit', 'value-0': 'maybe' }, 'must be compared with yes or no'],
    [{ 'what-0': 'turn', 'is-0': 'is not', 'value-0': '3' }, 'cannot be compared in that way'],
    [{ 'what-0': 'player.health', 'is-0': 'at least', 'value-0': 'high' }, 'must be compared with a number'],
    [{ 'what-0': 'health', 'is-0': 'at least' }, 'condition 1 needs a value'],
    [{ 'what-0': '', chance: '0' }, 'chance must be a whole number from 1 to 100'],
    [{ 'what-0': '', stays: 'long' }, 'stays must be a whole number from 1 to 1000'],
  ]
  for (const [fields, sentence] of refusals) {
    const answer = await send(id, fields)
    const html = await answer.text()
    expect([answer.status, html.includes(sentence)]).toEqual([422, true])
    for (const value of Object.values(fields).filter(Boolean)) expect(html).toContain(`"${value}"`)
  }
  expect((await stored(id)).timing).toBeUndefined()
})

test('while it is typed, a condition without a value is left out, and more rows come when all are in use', async () => {
  const { id } = await newCard()
  const typed = (fields: Record<string, string>) =>
    server.ask(`/story-cards/${id}`, {
      method: 'POST',
      headers: { 'HX-Request': 'true' },
      body: new URLSearchParams({ only: 'timing', ...fields }),
    })
  const first = { 'what-0': 'flags.lit', 'is-0': 'is', 'value-0': 'yes' }
  const half = await typed({ ...first, 'what-1': 'heal', 'what-2': '' })
  const html = await half.text()
  expect([half.status, html]).toEqual([
    200,
    expect.stringContaining('Condition 2 counts when it has a value.'),
  ])
  expect(html).not.toContain('name="what-3"')
  expect((await stored(id)).timing.when).toEqual([{ kind: 'flag', of: 'flags.lit', is: 'is', value: true }])
  const whole = await typed({ ...first, 'what-1': 'health', 'is-1': 'at least', 'value-1': '3' })
  expect(await whole.text()).toMatch(/name="what-2".*name="what-4"/s)
  expect((await stored(id)).timing.when).toHaveLength(2)
})

test('a condition takes the name of what it is about', async () => {
  const { id } = await newCard()
  const names: [typed: string, kind: string, of: string][] = [
    ['HEALTH', 'stat', 'player.health'],
    ['Health', 'stat', 'player.health'],
    ['lit', 'flag', 'flags.lit'],
    ['brisa', 'present', 'npc.brisa'],
    ['Brisa is present', 'present', 'npc.brisa'],
    ['oil', 'stat', 'oil'],
  ]
  for (const [typed, kind, of] of names) {
    await send(id, { 'what-0': typed, 'is-0': 'is', 'value-0': kind === 'stat' ? '5' : 'yes' })
    expect([typed, (await stored(id)).timing.when]).toEqual([
      typed,
      [{ kind, of, is: 'is', value: kind === 'stat' ? 5 : true }],
    ])
  }
})

test('a timing that the form cannot tell from another is only written when it was changed', async () => {
  const { id } = await newCard()
  // As text, which the form shows like the number.
  const timing = { when: [{ kind: 'stat', of: 'player.health', is: 'is', value: '5' }], how: {} }
  await server.send('PATCH', `/api/story-cards/${id}`, { timing })
  const shown = { 'what-0': 'player.health', 'is-0': 'is', 'value-0': '5' }
  await send(id, { ...shown, name: 'The old bell' })
  expect(await stored(id)).toMatchObject({ name: 'The old bell', timing })
  await send(id, { ...shown, 'value-0': '6' })
  expect((await stored(id)).timing.when[0].value).toBe(6)
})

test('the API refuses what it does not know, with the path', async () => {
  const { id } = await newCard()
  const refusals: [unknown, string][] = [
    ['soon', '/timing'],
    [{ then_again: [] }, '/timing/then_again'],
    [{ when: {} }, '/timing/when'],
    [{ when: ['now'] }, '/timing/when/0'],
    [{ when: [{ kind: 'mood', of: 'x', is: 'is', value: true }] }, '/timing/when/0'],
    [{ when: [{ kind: 'flag', of: '', is: 'is', value: true }] }, '/timing/when/0'],
    [{ when: [{ kind: 'flag', of: 'flags.lit', is: 'is', value: true, not: 1 }] }, '/timing/when/0'],
    [{ how: { often: true } }, '/timing/how/often'],
    [{ how: { once: 'yes' } }, '/timing/how/once'],
    [{ how: { rests: 1.5 } }, '/timing/how/rests'],
    [{ how: { group: 'g'.repeat(201) } }, '/timing/how/group'],
  ]
  for (const [timing, path] of refusals) {
    const { status, body } = await server.send('PATCH', `/api/story-cards/${id}`, { timing })
    expect([status, body.errors?.[0]?.path]).toEqual([422, path])
  }
})

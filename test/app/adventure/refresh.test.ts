import { describe, expect, test } from 'bun:test'
import { afterGate, gate, say, sayAndRecord } from '../../support/endpoint/endpoint.ts'
import { ofType, playTurn, retryTurn, startTurn } from '../../support/service/events.ts'
import { startWithModel } from '../../support/service/with-model.ts'
import { LANTERN_ROCK } from '../../support/stories/worlds.ts'

const { endpoint, server } = await startWithModel({}, {})

const STATS = { player: { health: { min: 0, max: 10, initial: 10 } } }
const NONE = { added: [], updated: [], removed: [] }

/** A scenario with two cards, and a story of it. */
async function begin(fields: object = {}, placeholders = {}) {
  const scenario = (
    await server.post('/api/scenarios', {
      title: 'Lamp Road',
      prompt: 'Dusk.',
      memory: 'Old plot.',
      authors_note: 'Slow.',
      ...fields,
    })
  ).body.id as number
  const card = async (name: string, entry: string, keys = name) =>
    (await server.post('/api/story-cards', { scenario_id: scenario, name, keys, entry })).body.id as number
  const lamp = await card('Lamp', 'It burns.')
  const keeper = await card('Keeper', 'She waits.')
  const id = (await server.post('/api/adventures', { scenario_id: scenario, placeholders })).body.id as number
  const path = `/api/adventures/${id}/refresh`
  return {
    scenario,
    id,
    lamp,
    keeper,
    card,
    author: (changed: object) => server.send('PATCH', `/api/scenarios/${scenario}`, changed),
    plan: async () => (await server.get(path)).body,
    refresh: async (body?: object) => server.post(path, body),
    read: async () => (await server.get(`/api/adventures/${id}`)).body,
    cards: () =>
      server.deps.library.reader.all<{ id: number; name: string; entry: string; source_ref: string | null }>(
        'SELECT id, name, entry, source_ref FROM story_cards WHERE adventure_id = ? ORDER BY id',
        id,
      ),
    world: async () => (await server.get(`/api/adventures/${id}/world-state`)).body,
    set: (values: object) => server.send('PUT', `/api/adventures/${id}/world-state`, values),
    sql: (statement: string) => server.deps.library.write((tx) => tx.run(statement)),
  }
}

type Story = Awaited<ReturnType<typeof begin>>
const editCard = (id: number, changed: object) => server.send('PATCH', `/api/story-cards/${id}`, changed)
const dropCard = (id: number) => server.send('DELETE', `/api/story-cards/${id}`)
/** The story as the earlier release stored it before it had references and answers. */
const makeOld = (story: Story) => {
  story.sql(`UPDATE story_cards SET source_ref = NULL WHERE adventure_id = ${story.id}`)
  story.sql(
    `UPDATE adventures SET placeholders = NULL, cards_adopted = 0, stat_schema = NULL WHERE id = ${story.id}`,
  )
}

describe('the plot', () => {
  test('R1 a story that equals its scenario has no changes, and nothing is written', async () => {
    const story = await begin({ stat_schema: STATS })
    const before = await story.read()
    expect(await story.plan()).toEqual({
      scenario_id: story.scenario,
      scenario_title: 'Lamp Road',
      has_changes: false,
      fields: {},
      cards: NONE,
      world_state: { added: [], removed: [], changed: [] },
      placeholders_needed: [],
      items: [],
    })
    expect(await story.read()).toEqual(before)
  })

  test('R2, R3 an edited text is the only one listed, and is applied', async () => {
    const story = await begin()
    await story.author({ memory: 'New plot.' })
    const plan = await story.plan()
    expect([plan.has_changes, plan.fields]).toEqual([
      true,
      { memory: { old: 'Old plot.', new: 'New plot.' } },
    ])
    expect(plan.items).toEqual([
      { kind: 'field', ref: 'field:memory', name: 'memory', old: 'Old plot.', new: 'New plot.' },
    ])
    expect(await story.refresh()).toMatchObject({ status: 200, body: { id: story.id, memory: 'New plot.' } })
    expect((await story.plan()).has_changes).toBe(false)
  })

  test('R4 the player’s own edits of the plot are overwritten, unless they are skipped', async () => {
    const story = await begin()
    await server.send('PATCH', `/api/adventures/${story.id}`, { authors_note: 'Mine.', memory: 'Mine too.' })
    await story.refresh({ skip: ['field:memory'] })
    expect(await story.read()).toMatchObject({ authors_note: 'Slow.', memory: 'Mine too.' })
  })

  test('an unknown item to skip is refused, as it would be applied after all', async () => {
    const story = await begin()
    await server.send('PATCH', `/api/adventures/${story.id}`, { authors_note: 'Mine.' })
    const answer = await story.refresh({ skip: ['field:authors_not'] })
    expect([answer.status, answer.body.code]).toEqual([422, 'invalid'])
    expect(await story.read()).toMatchObject({ authors_note: 'Mine.' })
  })

  test('R5, R6, R7 opening, title, summary and memories stay', async () => {
    const story = await begin()
    await server.send('PATCH', `/api/adventures/${story.id}`, { story_summary: 'So far.' })
    await server.post(`/api/adventures/${story.id}/memories`, { text: 'She lied.' })
    await story.author({ prompt: 'Dawn.', title: 'The Long Road' })
    expect(await story.plan()).toMatchObject({
      has_changes: false,
      fields: {},
      scenario_title: 'The Long Road',
    })
    await story.refresh()
    expect(await story.read()).toMatchObject({
      title: 'Lamp Road',
      story_summary: 'So far.',
      actions: [{ type: 'start', text: 'Dusk.' }],
    })
    expect((await server.get(`/api/adventures/${story.id}/memories`)).body).toMatchObject([
      { text: 'She lied.' },
    ])
  })
})

describe('the cards', () => {
  test('R8, R9, R10 are added, updated and removed with those of the scenario', async () => {
    const story = await begin()
    const [lamp, keeper] = story.cards()
    await story.card('Gull', 'It cries.')
    await editCard(story.lamp, { entry: 'It is out.' })
    await dropCard(story.keeper)
    const plan = await story.plan()
    expect(plan.cards).toEqual({ added: ['Gull'], updated: ['Lamp'], removed: ['Keeper'] })
    await story.refresh()
    expect(story.cards()).toMatchObject([
      { id: lamp?.id, name: 'Lamp', entry: 'It is out.', source_ref: `card:${story.lamp}` },
      { name: 'Gull', source_ref: expect.stringMatching(/^card:\d+$/) },
    ])
    expect(story.cards().map(({ id }) => id)).not.toContain(keeper?.id)
  })

  test('R11, R12, R13 of the player stay; derived ones are restored', async () => {
    const story = await begin()
    const [lamp, keeper] = story.cards()
    await server.post('/api/story-cards', { adventure_id: story.id, name: 'Keeper', entry: 'Mine.' })
    await editCard(lamp?.id ?? 0, { name: 'Lantern' })
    await dropCard(keeper?.id ?? 0)
    expect((await story.plan()).cards).toEqual({ added: ['Keeper'], updated: ['Lantern'], removed: [] })
    await story.refresh()
    expect(story.cards().map(({ name, source_ref }) => [name, source_ref])).toEqual([
      ['Lamp', `card:${story.lamp}`],
      ['Keeper', null],
      ['Keeper', `card:${story.keeper}`],
    ])
  })

  test('R14, R15, R16 of an old story are matched by name once, and by reference from then on', async () => {
    const story = await begin()
    makeOld(story)
    const own = (await server.post('/api/story-cards', { adventure_id: story.id, name: 'Knife' })).body.id
    await editCard(story.cards()[0]?.id ?? 0, { name: '  lamp ' })
    expect((await story.plan()).cards).toEqual({ added: [], updated: ['  lamp '], removed: [] })
    expect(story.cards().map(({ source_ref }) => source_ref)).toEqual([null, null, null])
    await story.refresh()
    const refs = [`card:${story.lamp}`, `card:${story.keeper}`, null]
    expect(story.cards().map(({ source_ref }) => source_ref)).toEqual(refs)
    expect(story.cards().at(-1)).toMatchObject({ id: own, name: 'Knife' })
    await editCard(story.lamp, { name: 'Beacon' })
    await story.refresh()
    expect(story.cards().map(({ name }) => name)).toEqual(['Beacon', 'Keeper', 'Knife'])
  })

  test('R17 with the same name are matched one to one', async () => {
    const story = await begin()
    const twin = await story.card('lamp', 'Another.')
    makeOld(story)
    expect((await story.plan()).cards.added).toEqual(['lamp'])
    await story.refresh()
    expect(story.cards().map(({ source_ref }) => source_ref)).toEqual([
      `card:${story.lamp}`,
      `card:${story.keeper}`,
      `card:${twin}`,
    ])
    expect((await story.plan()).has_changes).toBe(false)
  })

  test('R18 are never matched by name again, even after every derived one was deleted', async () => {
    const story = await begin()
    for (const { id } of story.cards()) await dropCard(id)
    // As the earlier release leaves it, which does not know our flag.
    const old = await begin()
    makeOld(old)
    old.sql(`UPDATE story_cards SET source_ref = 'card:' || id WHERE adventure_id = ${old.id}`)
    for (const { id } of old.cards()) await dropCard(id)
    for (const one of [story, old]) {
      await server.post('/api/story-cards', { adventure_id: one.id, name: 'Lamp', entry: 'Mine.' })
      expect((await one.plan()).cards).toEqual({ added: ['Lamp', 'Keeper'], updated: [], removed: [] })
      await one.refresh()
      expect(one.cards()[0]).toMatchObject({ entry: 'Mine.', source_ref: null })
    }
  })

  test('R19, R20, R21 of characters come and go with them', async () => {
    const story = await begin()
    const npcs = {
      kraken: { name: 'Kraken', desc: 'It waits.', stats: { mood: { initial: 2 } } },
      keeper: { name: 'KEEPER ', desc: 'Named like a card.', stats: {} },
    }
    await story.author({ stat_schema: { npcs } })
    const plan = await story.plan()
    expect(plan.cards.added).toEqual(['Kraken'])
    expect(plan.world_state.added).toEqual(['npc.kraken.mood'])
    await story.refresh()
    expect(story.cards().at(-1)).toMatchObject({ name: 'Kraken', source_ref: 'npc:kraken' })
    expect((await story.world()).state.npc.kraken).toEqual({ mood: 2 })
    await story.author({ stat_schema: { npcs: { keeper: npcs.keeper } } })
    const back = await story.plan()
    expect(back.cards.removed).toEqual(['Kraken'])
    expect(back.world_state.removed).toEqual(['npc.kraken'])
    await story.refresh()
    expect((await story.world()).state.npc).toEqual({ keeper: {} })
  })

  test('can be skipped one by one', async () => {
    const story = await begin()
    await story.card('Gull', 'It cries.')
    await editCard(story.lamp, { entry: 'It is out.' })
    await dropCard(story.keeper)
    const before = story.cards()
    const { items } = await story.plan()
    await story.refresh({ skip: items.map(({ ref }: { ref: string }) => ref) })
    expect(story.cards()).toEqual(before)
    expect((await story.plan()).items).toEqual(items)
  })
})

describe('when and how often a card is included', () => {
  const late = { when: [{ kind: 'turn', of: '', is: 'at least', value: 3 }], how: { once: true } }
  const timingOf = async (story: Story, name: string) => {
    const { body } = await server.get(`/api/story-cards?adventure_id=${story.id}`)
    return body.find((card: { name: string }) => card.name === name).timing
  }

  test('is an item of its card, taken over and taken away again', async () => {
    const story = await begin()
    await editCard(story.lamp, { timing: late })
    expect((await story.plan()).items).toMatchObject([{ ref: `card:${story.lamp}` }])
    await story.refresh()
    expect([await timingOf(story, 'Lamp'), await timingOf(story, 'Keeper')]).toEqual([late, undefined])
    expect((await story.plan()).items).toEqual([])
    await editCard(story.lamp, { timing: { ...late, how: {} } })
    await story.refresh()
    expect(await timingOf(story, 'Lamp')).toEqual({ ...late, how: {} })
    await editCard(story.lamp, { timing: null })
    await story.refresh()
    expect(await timingOf(story, 'Lamp')).toBeUndefined()
  })

  test('stays as it is where the player skips the card', async () => {
    const story = await begin()
    await editCard(story.lamp, { timing: late })
    await editCard(story.keeper, { timing: late })
    await story.refresh({ skip: [`card:${story.lamp}`] })
    expect([await timingOf(story, 'Lamp'), await timingOf(story, 'Keeper')]).toEqual([undefined, late])
  })
})

describe('the stats', () => {
  test('R22, R23 keep their live values', async () => {
    const schema = { ...STATS, milestones: { lit: {} } }
    const story = await begin({ stat_schema: schema })
    await story.set({ 'player.health': 3, 'milestones.lit': true })
    const { state } = await story.world()
    await story.author({
      stat_schema: { ...schema, player: { health: { ...STATS.player.health, desc: 'Hale.' } } },
    })
    expect((await story.plan()).world_state).toEqual({
      added: [],
      removed: [],
      changed: [{ path: 'player.health', what: 'desc', old: null, new: 'Hale.' }],
    })
    await story.refresh()
    expect((await story.world()).state).toEqual(state)
    expect((await story.world()).schema.player.health.desc).toBe('Hale.')
  })

  test('R24, R25 are added and removed, with the time of their last change', async () => {
    const story = await begin({ stat_schema: STATS })
    await story.set({ 'player.health': 3 })
    story.sql(
      `UPDATE adventures SET world_state = json_set(world_state, '$._meta.last_changed', json('{"player.health": 5}')) WHERE id = ${story.id}`,
    )
    const player = { gold: { initial: 7 }, debt: {}, coat: { type: 'text' } }
    await story.author({ stat_schema: { player } })
    expect((await story.plan()).world_state).toMatchObject({
      added: ['player.gold', 'player.debt', 'player.coat'],
      removed: ['player.health'],
    })
    await story.refresh()
    expect((await story.world()).state).toMatchObject({
      player: { gold: 7, debt: 0, coat: '' },
      _meta: { last_changed: {} },
    })
  })

  test('are removed when undefined: a character as a whole, a milestone only if reached', async () => {
    const story = await begin({ stat_schema: LANTERN_ROCK })
    const { ottoline: _o, ...npcs } = LANTERN_ROCK.npcs
    await story.author({
      stat_schema: {
        world: { night: LANTERN_ROCK.world.night },
        player: { ...LANTERN_ROCK.player, resolve: {} },
        npcs: { ...npcs, kraken: { stats: { mood: {} } } },
        flags: { lamp_lit: LANTERN_ROCK.flags.lamp_lit, fog: {} },
      },
    })
    await story.set({ 'milestones.signal_sent': true })
    const stamps = { 'world.sea': 3, 'npc.ottoline.faith': 3, 'player.warmth': 2 }
    story.sql(
      `UPDATE adventures SET world_state = json_set(world_state, '$.milestones.survivors_ashore', json('{"reached": false}'),
         '$._meta.last_changed', json('${JSON.stringify(stamps)}')) WHERE id = ${story.id}`,
    )
    expect((await story.plan()).world_state).toEqual({
      added: ['player.resolve', 'npc.kraken.mood', 'flags.fog'],
      removed: ['world.sea', 'npc.ottoline', 'flags.door_barred', 'milestones.signal_sent'],
      changed: [],
    })
    await story.refresh()
    const { state } = await story.world()
    expect([state._meta.last_changed, state.milestones]).toEqual([{ 'player.warmth': 2 }, {}])
    expect((await story.plan()).has_changes).toBe(false)
  })

  test('R26 are removed with the schema, and R27 added with the first one', async () => {
    const story = await begin({ stat_schema: STATS })
    await story.author({ stat_schema: null })
    expect((await story.plan()).world_state).toMatchObject({ added: [], removed: ['(all world state)'] })
    await story.refresh()
    expect(await story.world()).toEqual({ state: {}, schema: null })
    await story.author({ stat_schema: LANTERN_ROCK })
    const plan = await story.plan()
    expect([plan.has_changes, plan.world_state.added]).toEqual([
      true,
      [
        'world.night',
        'world.sea',
        'player.warmth',
        'player.lamp_oil',
        'player.coat',
        'npc.ottoline.faith',
        'npc.ottoline.wound',
        'flags.lamp_lit',
        'flags.door_barred',
      ],
    ])
    await story.refresh()
    expect((await story.world()).state.player.warmth).toBe(32)
  })

  test('R28 are clamped to a narrower range, and listed', async () => {
    const story = await begin({ stat_schema: STATS })
    await story.author({ stat_schema: { player: { health: { min: 0, max: 4, initial: 4 } } } })
    const { world_state, items } = await story.plan()
    expect(world_state.changed).toContainEqual({ path: 'player.health', what: 'range', old: 10, new: 4 })
    expect(items).toMatchObject([
      { kind: 'stat', ref: 'world:player.health', name: 'health', old: { value: 10 }, new: { value: 4 } },
    ])
    await story.refresh()
    expect((await story.world()).state.player.health).toBe(4)
  })

  test('can be skipped one by one, definition and value', async () => {
    const story = await begin({
      stat_schema: { ...STATS, flags: { lit: {} }, npcs: { mira: { stats: { trust: {} } } } },
    })
    await story.author({
      stat_schema: { player: { health: { max: 4 }, gold: {} }, npcs: { gull: { desc: 'It cries.' } } },
    })
    const before = await story.world()
    const { items } = await story.plan()
    expect(items.map(({ ref }: { ref: string }) => ref)).toEqual([
      'npc:gull',
      'world:player.health',
      'world:player.gold',
      'world:npc.gull',
      'world:npc.mira',
      'world:flags.lit',
    ])
    await story.refresh({ skip: ['world:player.health', 'world:npc.mira', 'world:flags.lit'] })
    const after = await story.world()
    expect(after.schema).toMatchObject({
      player: { health: before.schema.player.health, gold: {} },
      npcs: { mira: before.schema.npcs.mira, gull: { desc: 'It cries.' } },
      flags: { lit: {} },
    })
    expect(after.state).toMatchObject({
      ...before.state,
      player: { health: 10, gold: 0 },
      npc: { mira: { trust: 0 } },
    })
    await story.refresh()
    expect((await story.world()).schema).toEqual(
      (await server.get(`/api/scenarios/${story.scenario}`)).body.stat_schema,
    )
  })
})

describe('placeholders', () => {
  test('R29 are filled with the answers of the story', async () => {
    const story = await begin({ memory: '${Hero} waits.' }, { Hero: 'Mira' })
    expect(await story.plan()).toMatchObject({ has_changes: false, placeholders_needed: [] })
    await story.author({ memory: '${ Hero } leaves.' })
    expect((await story.plan()).fields.memory).toEqual({ old: 'Mira waits.', new: 'Mira leaves.' })
  })

  test('R30, R31, R32 that are new are listed until they are answered', async () => {
    const story = await begin()
    await editCard(story.lamp, { keys: '${City}' })
    const plan = await story.plan()
    expect(plan.placeholders_needed).toEqual(['City'])
    expect(plan.items[0].new.keys).toBe('${City}')
    await story.refresh()
    expect((await story.read()).story_cards[0].keys).toBe('${City}')
    expect((await story.plan()).placeholders_needed).toEqual(['City'])
    await story.refresh({ placeholders: { City: 'Veld' } })
    expect((await story.read()).story_cards[0].keys).toBe('Veld')
    expect(await story.plan()).toMatchObject({ has_changes: false, placeholders_needed: [] })
  })

  test('R33 can have an empty answer', async () => {
    const story = await begin({ memory: '${Hero} waits.' }, { Hero: '' })
    expect(await story.plan()).toMatchObject({ has_changes: false, placeholders_needed: [] })
  })

  test('R34, R35 of an old story are all listed, except for those of its opening', async () => {
    const story = await begin({
      prompt: '${Only here}',
      memory: '${Hero}',
      stat_schema: { npcs: { mira: { desc: '${Friend}', stats: {} } } },
    })
    makeOld(story)
    expect((await story.plan()).placeholders_needed).toEqual(['Hero', 'Friend'])
  })

  test('R39 can be answered without any other change, and answers can be changed later', async () => {
    const story = await begin({ memory: '${Hero} waits.' })
    expect(await story.plan()).toMatchObject({ has_changes: false, placeholders_needed: ['Hero'] })
    const path = `/api/adventures/${story.id}/placeholders`
    expect((await server.get(path)).body).toEqual({
      placeholders: {},
      questions: [{ name: 'Hero', places: [{ at: 'memory', name: '' }] }],
      needed: ['Hero'],
    })
    await server.send('PUT', path, { placeholders: { Hero: 'Mira', Other: 'x' } })
    expect((await server.send('PUT', path, { placeholders: { Hero: 'Iris' } })).body).toMatchObject({
      placeholders: { Hero: 'Iris', Other: 'x' },
      needed: [],
    })
    expect((await story.read()).memory).toBe('${Hero} waits.')
    expect((await story.plan()).fields.memory.new).toBe('Iris waits.')
    await story.refresh()
    expect((await story.read()).memory).toBe('Iris waits.')
  })
})

describe('a refresh is refused', () => {
  test('R36 without a scenario, and without an adventure', async () => {
    const story = await begin()
    await server.send('DELETE', `/api/scenarios/${story.scenario}`)
    const blank = (await server.post('/api/adventures', {})).body.id
    for (const id of [story.id, blank])
      for (const method of ['GET', 'POST'])
        expect(await server.send(method, `/api/adventures/${id}/refresh`)).toMatchObject({
          status: 404,
          body: { code: 'no_scenario' },
        })
    expect(await server.get('/api/adventures/999999/refresh')).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
    expect((await server.post('/api/adventures/999999/refresh')).body.code).toBe('not_found')
  })

  test('R37 while a turn runs, but the plan can still be read', async () => {
    const story = await begin()
    await story.author({ memory: 'New plot.' })
    const before = await story.plan()
    const opening = gate()
    endpoint.next(afterGate(opening, say('Told.')))
    const turn = await startTurn(server, `/api/adventures/${story.id}/actions`, { type: 'continue' })
    expect(await story.refresh()).toMatchObject({ status: 409, body: { code: 'turn_in_progress' } })
    expect(await story.plan()).toEqual(before)
    opening.open()
    expect((await turn.rest()).some(ofType('done'))).toBe(true)
    expect((await story.refresh()).status).toBe(200)
  })

  test('R38 midway leaves everything as it was, and the story unlocked', async () => {
    const story = await begin()
    await story.author({ memory: 'New plot.' })
    await story.card('Gull', 'It cries.')
    const before = [await story.read(), story.cards()]
    story.sql(
      `CREATE TEMP TRIGGER refuse BEFORE INSERT ON story_cards WHEN NEW.adventure_id = ${story.id} BEGIN SELECT RAISE(ABORT, 'no'); END`,
    )
    const { status } = await story.refresh()
    story.sql('DROP TRIGGER refuse')
    expect(status).toBe(500)
    expect([await story.read(), story.cards()]).toEqual(before)
    expect((await story.refresh()).status).toBe(200)
  })
})

test('the numbers of a story add up across refreshes, retries, switches and undos', async () => {
  const story = await begin({ stat_schema: LANTERN_ROCK })
  const _F = '```'
  const reply = (delta: Record<string, unknown>) => sayAndRecord(`The sea rises.`, delta)
  const turn = async (delta: Record<string, unknown>) => {
    endpoint.next(reply(delta))
    await playTurn(server, story.id, { type: 'do', text: 'wait' })
  }
  const audit = async () => (await server.get(`/api/adventures/${story.id}/audit`)).body
  await turn({ 'player.warmth': -8, 'flags.door_barred': true })
  await turn({ 'player.warmth': -8 })
  expect(await audit()).toMatchObject({ ok: true, breaks: [] })
  const { player, ...rest } = LANTERN_ROCK
  await story.author({
    stat_schema: { ...rest, player: { warmth: { ...player.warmth, max: 12 }, luck: { initial: 5 } } },
  })
  await story.refresh()
  expect(await audit()).toMatchObject({ ok: true, breaks: [{ what: 'follows a refresh from the scenario' }] })
  // The newest passage was judged by the old rules; a retry of it is judged by the new ones.
  endpoint.next(reply({ 'player.luck': 1 }))
  await retryTurn(server, story.id)
  expect((await story.world()).state.player).toEqual({ warmth: 12, luck: 6 })
  expect(await audit()).toMatchObject({ ok: true, findings: [] })
  const newest = (await story.read()).actions.at(-1)
  await server.post(`/api/adventures/${story.id}/actions/${newest.id}/variant`, { index: 0 })
  expect((await story.world()).state.player).toEqual({ warmth: 12, luck: 5 })
  expect(await audit()).toMatchObject({ ok: true, findings: [] })
  await turn({ 'player.luck': 2 })
  expect(await audit()).toMatchObject({ ok: true, findings: [] })
  for (let i = 0; i < 2; i++) await server.post(`/api/adventures/${story.id}/undo`)
  // The values from before the refresh, fitted to the new schema.
  expect((await story.world()).state.player).toEqual({ warmth: 12, luck: 5 })
  expect(await audit()).toMatchObject({ ok: true, findings: [] })
  await turn({ 'player.warmth': -3 })
  expect((await story.world()).state.player).toEqual({ warmth: 9, luck: 5 })
  expect(await audit()).toMatchObject({ ok: true, findings: [] })
})

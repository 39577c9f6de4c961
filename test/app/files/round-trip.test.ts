import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { faultsForTheEarlierRelease } from '../../support/earlier/reader.ts'
import { LIVE_TEXT, leaveEarlierLibrary, type Row, WORLD } from '../../support/earlier/release.ts'
import { EarlierRelease } from '../../support/earlier/writer.ts'
import { say, sayAndRecord, startEndpoint } from '../../support/endpoint/endpoint.ts'
import { openLibrary } from '../../support/library/open.ts'
import { playTurn, retryTurn } from '../../support/service/events.ts'
import { startServer, type TestServer } from '../../support/service/server.ts'

const endpoint = await startEndpoint()
const folder = mkdtempSync(join(tmpdir(), 'inglenook-'))
afterAll(async () => {
  await endpoint.close()
  rmSync(folder, { recursive: true, force: true })
})

let told = 0
// Passages that lose a little, and in idle time notes and summaries.
endpoint.byDefault((exchange) => {
  const last = exchange.request.body?.messages?.at(-1)?.content ?? ''
  if (last.includes('bring its summary up to date')) return say(`Summary ${told}.`)(exchange)
  if (last.includes('[Leave the story for a moment')) return say(`Note ${told}.`)(exchange)
  return sayAndRecord(`Passage ${told++} goes by.`, { 'player.hp': -1 })(exchange)
})

let made = 0

/** A library of the earlier release that is told by our narrator. */
function left(version = 45): string {
  const path = join(folder, `${++made}.db`)
  leaveEarlierLibrary(path, {
    version,
    also: `UPDATE settings SET endpoint_url = '${endpoint.url}', model = 'test-model'`,
  })
  return path
}

/** A service on a library, until `work` is done. Gives what it gives. */
async function during<T>(dbPath: string, work: (server: TestServer) => Promise<T>): Promise<T> {
  const server = await startServer({ dbPath, idleDelay: 0 })
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}

function expectNoFaults(path: string): void {
  using db = new Database(path, { readwrite: true, create: false })
  expect(faultsForTheEarlierRelease(db)).toEqual([])
}

/** Opens with the earlier release, which then has it alone. */
function elsewhere(path: string, work: (release: EarlierRelease) => void): void {
  using release = new EarlierRelease(path)
  work(release)
}

const story = async (server: TestServer, id = 1) => (await server.get(`/api/adventures/${id}`)).body
const actions = async (server: TestServer, id = 1): Promise<Row[]> =>
  (await server.get(`/api/adventures/${id}/actions?limit=240`)).body.actions
const world = async (server: TestServer, id = 1) =>
  (await server.get(`/api/adventures/${id}/world-state`)).body.state
const audit = async (server: TestServer, id = 1) => (await server.get(`/api/adventures/${id}/audit`)).body
const found = async (server: TestServer, words: string): Promise<unknown[]> =>
  (await server.get(`/api/search?q=${encodeURIComponent(words)}`)).body.items.map(
    ({ kind, id }: { kind: string; id: number }) => `${kind} ${id}`,
  )
/** The next prompt, as one text. */
async function prompt(server: TestServer, id = 1): Promise<string> {
  const { body } = await server.get(`/api/adventures/${id}/context`)
  return body.messages.map(({ text }: { text: string }) => text).join('\n')
}
const rested = async (server: TestServer, id = 1) => {
  server.deps.idle.wake(id)
  await server.deps.idle.ended()
}

/** Everything that a player does with a library, once. Gives the id of a story that was begun here. */
async function doEverything(server: TestServer): Promise<number> {
  const path = '/api/adventures/1'
  await server.send('PATCH', path, { auto_summarize: true, memory_bank_enabled: true, title: 'Ten Nights' })
  for (let turn = 0; turn < 9; turn++) await playTurn(server, 1, { type: 'do', text: `step ${turn}` })
  await playTurn(server, 1)
  await rested(server)
  for (let retry = 0; retry < 2; retry++) await retryTurn(server, 1)
  const last = (await story(server)).actions.at(-1)
  await server.post(`${path}/actions/${last.id}/variant`, { index: 1 })
  await server.send('PATCH', `${path}/actions/${last.id}`, { text: 'Rewritten by hand.', variant_index: 1 })
  await server.send('PUT', `${path}/world-state`, { 'player.hp': 77, 'milestones.lantern_room': true })
  await playTurn(server, 1, { type: 'say', text: 'Once more “quoted”' })
  await server.post(`${path}/undo`)
  await server.send('PATCH', '/api/scenarios/2', {
    memory: 'A new plot.',
    stat_schema: { player: { hp: { min: 0, max: 90 }, oil: { initial: 3 } }, flags: { lamp_lit: {} } },
  })
  await server.post(`${path}/refresh`, {})
  await playTurn(server, 1, { type: 'story', text: 'The night is long.' })
  await server.post(`${path}/memories`, { text: 'Typed by hand.' })
  await server.post('/api/story-cards', { adventure_id: 1, name: 'Oil', keys: 'oil', entry: 'It is scarce.' })
  await server.post(`${path}/copy`, {})
  const { id } = (await server.post('/api/adventures', { scenario_id: 2, title: 'Begun here' })).body
  await playTurn(server, id, { type: 'do', text: 'look' })
  const bundle = (await server.get(`/api/adventures/${id}/export?format=json`)).body
  await server.post('/api/import?apply=1', bundle)
  await server.send('PUT', '/api/settings', { context_token_budget: 9_000, temperature: 0.4 })
  await rested(server, id)
  return id
}

describe('a library goes there and back', () => {
  for (const version of [12, 29, 36, 45])
    test(`played on here from version ${version}, it is one for the earlier release`, async () => {
      const path = left(version)
      await during(path, doEverything)
      expectNoFaults(path)
    })

  test('what the earlier release does to it is all there when it comes back, and is played on', async () => {
    const path = left()
    const begun = await during(path, doEverything)
    const state = await during(path, (server) => world(server))
    const hp = state.player.hp
    const after = (value: number) => ({ ...state, player: { ...state.player, hp: value } })
    const turn = (value: number, old: number) => ({
      delta: { 'player.hp': value - old },
      report: {
        applied: [{ path: 'player.hp', old, new: value }],
        clamped: [],
        rejected: [{ path: 'x', reason: 'unknown path' }],
      },
      state: after(value),
    })
    let another = 0
    elsewhere(path, (release) => {
      release.play(1, ['do', '> You bar the silverfinch cage.'], {
        text: 'It sings elsewhere.',
        world: turn(hp - 2, hp),
      })
      release.retry(1, { text: 'It is silent elsewhere.', reasoning: 'Why?', world: turn(hp - 5, hp) })
      release.remember(1, 'The cage is of brass.')
      release.edit(3, 'Salt has spared the banister.')
      another = release.begin(2, 'Begun elsewhere', {}, after(90))
      release.delete('adventures', begun)
      release.change('settings', 1, { narrator_prompt: 'You narrate elsewhere.' })
      release.change('adventures', 2, { title: 'Older Debts' })
    })
    expectNoFaults(path)
    await during(path, async (server) => {
      const all = await actions(server)
      expect(all.at(-1)).toMatchObject({
        text: 'It is silent elsewhere.',
        reasoning: 'Why?',
        variant_count: 2,
        variant_index: 1,
        cut: null,
      })
      expect((await story(server)).action_count).toBe(all.length)
      expect((await world(server)).player.hp).toBe(hp - 5)
      expect((await server.get('/api/adventures')).body.map(({ title }: Row) => title)).toEqual(
        expect.arrayContaining(['Begun elsewhere', 'Older Debts', 'Ten Nights']),
      )
      expect((await server.get(`/api/adventures/${begun}`)).status).toBe(404)
      expect((await server.get('/api/settings')).body.narrator_prompt).toBe('You narrate elsewhere.')
      expect(await found(server, 'silverfinch')).toEqual([`action ${all.at(-2)?.id}`])
      expect(await found(server, 'banister')).toEqual(['action 3'])
      expect(await found(server, 'eaten the rail')).toEqual([expect.stringMatching(/^action (?!3$)/)])
      expect(await found(server, 'brass')).toHaveLength(1)
      expect(await found(server, 'Begun here')).not.toContain(`adventure ${begun}`)
      expect(await audit(server)).toMatchObject({ findings: [] })
      // A card that came with it is known by where it came from, not by its name.
      expect((await server.get(`/api/adventures/${another}/refresh`)).body.cards).toEqual({
        added: [],
        updated: [],
        removed: [],
      })
      const [before] = await playTurn(server, 1, { type: 'do', text: 'go on' })
      expect(before).toMatchObject({ type: 'player' })
      expect((await world(server)).player.hp).toBe(hp - 6)
      await server.post('/api/adventures/1/undo')
      await server.post(`/api/adventures/1/actions/${all.at(-1)?.id}/variant`, { index: 0 })
      expect((await world(server)).player.hp).toBe(hp - 2)
      await playTurn(server, another, { type: 'do', text: 'look' })
      for (const id of [1, another]) expect(await audit(server, id)).toMatchObject({ ok: true, findings: [] })
    })
    expectNoFaults(path)
  })
})

describe('a passage played here and changed elsewhere has its new text', () => {
  /** A library with one turn told here, then what the earlier release does, then a look at it. */
  async function changed(
    operation: (release: EarlierRelease, action: number) => void,
    see: (server: TestServer, action: number) => Promise<void>,
    reply = sayAndRecord('Her lamp is lit.', { 'player.hp': -3 }),
  ): Promise<void> {
    const path = left()
    const action = await during(path, async (server) => {
      endpoint.next(reply)
      await playTurn(server, 1, { type: 'do', text: 'light the lamp' })
      return (await story(server)).actions.at(-1).id
    })
    elsewhere(path, (release) => operation(release, action))
    expectNoFaults(path)
    await during(path, (server) => see(server, action))
  }

  test('an edit, even one of the same length, stands in the next prompt and after a switch', () =>
    changed(
      (release, action) => release.edit(action, 'His lamp is lit.'),
      async (server, action) => {
        expect(await prompt(server)).toContain('His lamp is lit.')
        expect(await prompt(server)).not.toContain('Her lamp')
        await retryTurn(server, 1)
        await server.post(`/api/adventures/1/actions/${action}/variant`, { index: 0 })
        expect(await prompt(server)).toContain('His lamp is lit.')
        expect(await prompt(server)).not.toContain('Her lamp')
        expect(await audit(server)).toMatchObject({ ok: true, findings: [] })
      },
    ))

  test('another variant stands with its own numbers, and is not cut off', () =>
    changed(
      (release) =>
        release.retry(1, {
          text: 'A match fails.',
          world: {
            delta: { 'player.dread': 1 },
            report: { applied: [{ path: 'player.dread', old: 3, new: 4 }], clamped: [], rejected: [] },
            state: { ...WORLD.after[1], player: { hp: 60, dread: 4, luck: null } },
          },
        }),
      async (server) => {
        expect(await prompt(server)).toContain('A match fails.')
        expect((await story(server)).actions.at(-1)).toMatchObject({ cut: null, variant_count: 2 })
        expect(await audit(server)).toMatchObject({ ok: true, findings: [] })
      },
    ))

  test('numbers that were set by hand are a break, and no fault', () =>
    changed(
      (release) => release.setWorld(1, { ...WORLD.after[1], player: { hp: 11, dread: 3 } }),
      async (server) => {
        expect(await audit(server)).toMatchObject({ ok: true, findings: [] })
        expect((await audit(server)).breaks).toContainEqual(
          expect.objectContaining({ index: 15, what: 'follows changes by another program' }),
        )
        await playTurn(server, 1)
        expect(await world(server)).toMatchObject({ player: { hp: 10 } })
        expect(await audit(server)).toMatchObject({ ok: true, findings: [] })
      },
    ))

  test('numbers set by hand before another turn are one too', () =>
    changed(
      (release) => {
        release.setWorld(1, { ...WORLD.after[1], player: { hp: 11, dread: 3 } })
        release.play(1, ['do', '> You rest.'], { text: 'You rest elsewhere.' })
      },
      async (server) => {
        await playTurn(server, 1)
        expect(await audit(server)).toMatchObject({ ok: true, findings: [] })
      },
    ))

  test('an undone turn leaves the prompt', () =>
    changed(
      (release) => {
        release.undo(1)
        release.undo(1)
      },
      async (server) => {
        expect((await actions(server)).map(({ text }) => text)).not.toContain(LIVE_TEXT)
        expect(await world(server)).toEqual(WORLD.before)
        expect(await prompt(server)).not.toContain('lamp is lit')
        expect(await found(server, 'lamp is lit')).toEqual([])
        expect(await audit(server)).toMatchObject({ ok: true, findings: [] })
      },
    ))
})

describe('data made here from passages that were changed elsewhere', () => {
  let played = ''
  beforeAll(async () => {
    played = left()
    await during(played, doEverything)
  })
  /** A copy of a library that was played on, after what the earlier release does to it. */
  const after = (operation: (release: EarlierRelease) => void): string => {
    const path = join(folder, `${++made}.db`)
    copyFileSync(played, path)
    elsewhere(path, operation)
    return path
  }
  const kept = (path: string, sql: string) => {
    using db = new Database(path, { readwrite: true, create: false })
    return db.query<Row, []>(sql).all()
  }
  const MADE = "SELECT covers FROM summaries WHERE adventure_id = 1 AND made_by = 'model'"
  const undo = (release: EarlierRelease) => {
    for (let turn = 0; turn < 6; turn++) release.undo(1)
  }

  test('leaves the prompt: memories are stale, and summaries are deleted', () => {
    expect(kept(played, MADE)).not.toEqual([])
    const [edited] = kept(played, 'SELECT id FROM actions WHERE adventure_id = 1 AND "index" = 17')
    const path = after((release) => release.edit(Number(edited?.id), 'Something else altogether.'))
    openLibrary(path).close()
    expect(kept(path, MADE).filter(({ covers }) => Number(covers) >= 17)).toEqual([])
    expect(
      kept(
        path,
        'SELECT stale FROM memories WHERE adventure_id = 1 AND source_start <= 17 AND source_end >= 17',
      ),
    ).toEqual([{ stale: 1 }])
  })

  test('goes with turns that were taken back', () => {
    const path = after(undo)
    openLibrary(path).close()
    const past = 'covers > (SELECT max("index") FROM actions WHERE adventure_id = 1)'
    expect(kept(path, `${MADE} AND ${past}`)).toEqual([])
    const [{ story_summary } = {}] = kept(path, 'SELECT story_summary FROM adventures WHERE id = 1')
    const [left = { text: '' }] = kept(
      path,
      'SELECT text FROM summaries WHERE adventure_id = 1 ORDER BY covers DESC, id DESC LIMIT 1',
    )
    expect(story_summary).toBe(left.text)
    expectNoFaults(path)
  })

  test('never takes the place of a summary that was typed there', async () => {
    const path = after((release) => {
      release.change('adventures', 1, { story_summary: 'In my own words.' })
      undo(release)
    })
    await during(path, async (server) => {
      expect((await story(server)).story_summary).toBe('In my own words.')
    })
  })
})

test('a card that a player made his own there is not taken for the scenario’s', async () => {
  const path = left()
  await during(path, (server) =>
    server.post('/api/story-cards', { scenario_id: 2, name: 'Lamp', keys: 'lamp', entry: 'It is out.' }),
  )
  let id = 0
  elsewhere(path, (release) => {
    id = release.begin(2, 'Begun elsewhere', {}, WORLD.atFirst)
    release.change('story_cards', 3, { source_ref: null, entry: 'My own lamp.' })
  })
  await during(path, async (server) => {
    expect((await story(server, id)).story_cards).toMatchObject([{ id: 3, entry: 'My own lamp.' }])
    expect((await server.get(`/api/adventures/${id}/refresh`)).body.cards).toEqual({
      added: ['Lamp'],
      updated: [],
      removed: [],
    })
  })
})

test('an old library whose live variant was limited or refused something has a clean audit', async () => {
  for (const live of [0, 2]) {
    const path = left()
    elsewhere(path, (release) => release.switchTo(1, live))
    expectNoFaults(path)
    await during(path, async (server) => {
      expect(await audit(server)).toMatchObject({ ok: true, findings: [] })
      expect(await world(server)).toEqual(WORLD.after[live])
    })
  }
})

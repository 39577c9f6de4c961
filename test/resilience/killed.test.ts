import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import {
  editsAbout,
  fallSilent,
  recorded,
  type Step,
  say,
  sayAndRecord,
  silent,
  startEndpoint,
} from '../support/endpoint/endpoint.ts'
import { openLibrary } from '../support/library/open.ts'
import { Service } from '../support/service/service.ts'
import { LANTERN_ROCK } from '../support/stories/worlds.ts'
import { temporaryFolder } from '../support/temporary.ts'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())

const PROSE = 'The gale takes the rail. '
const COLD = { 'player.warmth': -1 }

/** The stored data of a story's newest turn. */
async function kept(service: Service, path: string) {
  const { actions } = await service.json('GET', path)
  const { state } = await service.json('GET', `${path}/world-state`)
  const { type, text, variant_count, variant_index } = actions.at(-1)
  expect(await service.json('GET', `${path}/audit`)).toMatchObject({ ok: true, findings: [] })
  return { type, text, variant_count, variant_index, count: actions.length, warmth: state.player.warmth }
}

const NO_REPLY = 'This line has no finished reply yet.'

/** What of a reply has to be there after a kill: its text is stored before the changes that are asked for. */
type Kept = 'nothing' | 'its text' | 'all'

/** Moments of a turn: what the model does, and what the client has received when the service is killed. */
const moments: [when: string, step: Step, seen: string, isKept: Kept][] = [
  ['before a word is told', silent, '', 'nothing'],
  ['between two words', fallSilent(PROSE), '"chunk"', 'nothing'],
  ['before its changes are named', recorded(say(PROSE), silent), '"told"', 'its text'],
  ['while its changes are named', recorded(say(PROSE), fallSilent('{"edits"')), '"told"', 'its text'],
  ['when its changes were recorded', recorded(say(PROSE), say(editsAbout(PROSE, COLD))), '"done"', 'all'],
]

/** Requests a turn and kills the service at that moment. */
async function killAt(
  service: Service,
  path: string,
  [, step, seen]: (typeof moments)[number],
  body?: object,
): Promise<void> {
  const asked = Promise.withResolvers<void>()
  endpoint.byDefault((exchange) => {
    asked.resolve()
    return step(exchange)
  })
  const answering = service.ask('POST', path, body)
  await asked.promise
  if (seen !== '') {
    const reader = (await answering).body?.getReader()
    let told = ''
    while (!told.includes(seen)) told += new TextDecoder().decode((await reader?.read())?.value)
  }
  await service.kill()
  await answering.then((answer) => answer.body?.cancel()).catch(() => {})
}

test('75 killed at any moment of a turn or a retry, text, variants and numbers agree', async () => {
  const env = { APP_DB_PATH: join(temporaryFolder(), 'library.db') }
  let service = await Service.start(env)
  await service.ask('PUT', '/api/settings', {
    endpoint_url: endpoint.url,
    model: 'test-model',
    loop_guard: false,
  })
  const scenario = await service.json('POST', '/api/scenarios', {
    title: 'Lantern Rock',
    prompt: 'The lamp is lit.',
    stat_schema: LANTERN_ROCK,
  })
  const { id } = await service.json('POST', '/api/adventures', { scenario_id: scenario.id })
  const path = `/api/adventures/${id}`
  const page = async () => (await service.ask('GET', `/adventures/${id}`)).text()
  let start = 0
  for (const moment of moments) {
    const [when, , , isKept] = moment
    const before = await kept(service, path)
    start = before.warmth
    await killAt(service, `${path}/actions`, moment, { type: 'do', text: `wait ${when}` })
    service = await Service.start(env)
    const waiting = { type: 'do', text: `> You wait ${when}.`, count: before.count + 1, warmth: start }
    const told = { type: 'ai', text: PROSE.trim(), count: before.count + 2, warmth: start }
    const answered = { ...told, warmth: start - 1 }
    const right = { nothing: waiting, 'its text': told, all: answered }[isKept]
    expect([when, await kept(service, path)]).toMatchObject([when, right])
    if (isKept !== 'nothing') continue
    // The line waits, the page says so, and it gets a reply when the player tries again.
    expect(await page()).toContain(NO_REPLY)
    endpoint.byDefault(sayAndRecord(PROSE, COLD))
    await (await service.ask('POST', `${path}/retry`)).text()
    expect([when, await kept(service, path)]).toMatchObject([when, answered])
    expect(await page()).not.toContain(NO_REPLY)
  }
  for (const moment of moments) {
    const [when, , , isKept] = moment
    const before = await kept(service, path)
    await killAt(service, `${path}/retry`, moment)
    service = await Service.start(env)
    const variants = before.variant_count + (isKept === 'nothing' ? 0 : 1)
    const warmth = { nothing: before.warmth, 'its text': start, all: start - 1 }[isKept]
    expect([when, await kept(service, path)]).toEqual([
      when,
      { ...before, warmth, variant_count: variants, variant_index: variants - 1 },
    ])
  }
  await service.kill()
  const library = openLibrary(env.APP_DB_PATH)
  expect(library.reader.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
  library.close()
})

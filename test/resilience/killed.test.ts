import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openLibrary } from '../../src/db/open.ts'
import { fallSilent, type Step, say, silent, startEndpoint } from '../support/endpoint/endpoint.ts'
import { Service } from '../support/service/service.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { LANTERN_ROCK } from '../support/stories/worlds.ts'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())

const PROSE = 'The gale takes the rail. '
const BLOCK = '\n```state_delta\n{"player.warmth": -1}\n```\n'

/** What is kept of a story's newest turn. */
async function kept(service: Service, path: string) {
  const { actions } = await service.json('GET', path)
  const { state } = await service.json('GET', `${path}/world-state`)
  const { type, text, variant_count, variant_index } = actions.at(-1)
  expect(await service.json('GET', `${path}/audit`)).toMatchObject({ ok: true, findings: [] })
  return { type, text, variant_count, variant_index, count: actions.length, warmth: state.player.warmth }
}

/** Moments of a turn: what the model does, and what has been seen of the turn when the power fails. */
const moments: [when: string, step: Step, seen: string, isKept: boolean][] = [
  ['before a word is told', silent, '', false],
  ['between two words', fallSilent(PROSE), '"chunk"', false],
  ['within the block', fallSilent(`${PROSE}\n\`\`\`state_delta\n{"player.war`), '"chunk"', false],
  ['between the last word and the end', fallSilent(PROSE + BLOCK), '"chunk"', false],
  ['when it was told to be done', say(PROSE + BLOCK), '"done"', true],
]

/** Asks for a turn and kills the service as soon as that moment is there. */
async function killAt(service: Service, path: string, seen: string, body?: object): Promise<void> {
  const answering = service.ask('POST', path, body)
  await endpoint.requestArrived()
  if (seen !== '') {
    const reader = (await answering).body?.getReader()
    let told = ''
    while (!told.includes(seen)) told += new TextDecoder().decode((await reader?.read())?.value)
  }
  await service.kill()
  await answering.then((answer) => answer.body?.cancel()).catch(() => {})
}

test('75 killed at any moment of a turn or a retry, text, attempts and numbers agree', async () => {
  const env = { APP_DB_PATH: join(temporaryFolder(), 'library.db') }
  let service = await Service.start(env)
  await service.ask('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'test-model' })
  const scenario = await service.json('POST', '/api/scenarios', {
    title: 'Lantern Rock',
    prompt: 'The lamp is lit.',
    stat_schema: LANTERN_ROCK,
  })
  const { id } = await service.json('POST', '/api/adventures', { scenario_id: scenario.id })
  const path = `/api/adventures/${id}`
  for (const [when, step, seen, isKept] of moments) {
    const before = await kept(service, path)
    const line = { type: 'do', text: `wait ${when}` }
    endpoint.next(step)
    await killAt(service, `${path}/actions`, seen, line)
    service = await Service.start(env)
    const after = await kept(service, path)
    const waiting = {
      type: 'do',
      text: `> You wait ${when}.`,
      count: before.count + 1,
      warmth: before.warmth,
    }
    const answered = { type: 'ai', text: PROSE.trim(), count: before.count + 2, warmth: before.warmth - 1 }
    expect([when, after]).toMatchObject([when, isKept ? answered : waiting])
    if (isKept) continue
    // The line waits, and is answered when the player asks again.
    endpoint.next(say(PROSE + BLOCK))
    await (await service.ask('POST', `${path}/retry`)).text()
    await endpoint.requestArrived()
    expect([when, await kept(service, path)]).toMatchObject([when, answered])
  }
  for (const [when, step, seen, isKept] of moments) {
    const before = await kept(service, path)
    endpoint.next(step)
    await killAt(service, `${path}/retry`, seen)
    service = await Service.start(env)
    const attempts = before.variant_count + (isKept ? 1 : 0)
    expect([when, await kept(service, path)]).toEqual([
      when,
      { ...before, variant_count: attempts, variant_index: attempts - 1 },
    ])
  }
  await service.kill()
  const library = openLibrary(env.APP_DB_PATH)
  expect(library.reader.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
  library.close()
}, 60_000)

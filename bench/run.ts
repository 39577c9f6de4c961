// Benchmarks, for information only: nothing passes or fails. Run with `npm run bench`.
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLibrary } from '../src/db/library/open.ts'
import { start } from '../src/start.ts'
import { say, startEndpoint } from '../test/support/endpoint/endpoint.ts'
import { loopback } from '../test/support/service/loopback.ts'
import { measureFiles } from './files.ts'
import { limits } from './limits.ts'
import { falseAlarms } from './loops.ts'
import { firstTokenPainted, pageOpened } from './page-opening.ts'
import { pageStreamed } from './pages.ts'
import { prefixReuse } from './prefix.ts'
import { searchTimes } from './search.ts'
import { stalls } from './stalls.ts'
import { startTable } from './start.ts'
import { turnTable } from './turns.ts'
import { hostileTime, refereeTime } from './world.ts'

if (process.argv[2] === 'prefix') {
  const shares: Record<string, Record<string, string>> = {}
  for (const length of [900, 1_700, 2_600])
    shares[`replies of ${length} characters`] = await prefixReuse(length)
  console.table(shares)
  process.exit()
}

if (process.argv[2] === 'files') {
  console.table(await measureFiles(10_000))
  process.exit()
}

if (process.argv[2] === 'search') {
  console.table({ '100,000 actions': await searchTimes(100_000) })
  process.exit()
}

// Files of prose, as plain text.
if (process.argv[2] === 'loops') {
  console.table(falseAlarms(process.argv.slice(3)))
  process.exit()
}

if (process.argv[2] === 'limits') {
  console.table(await limits())
  process.exit()
}

if (process.argv[2] === 'start') {
  console.table(await startTable())
  process.exit()
}

if (process.argv[2] === 'stalls') {
  console.table(await stalls(10_000))
  process.exit()
}

if (process.argv[2] === 'turns') {
  console.table(await turnTable())
  process.exit()
}

if (process.argv[2] === 'pages') {
  console.table({ ...(await pageOpened(100)), ...(await pageOpened(10_000)) })
  console.table(await firstTokenPainted(10_000))
  if (process.argv[3] === 'opening') process.exit()
  console.table(await pageStreamed(10_000))
  process.exit()
}

const folder = mkdtempSync(join(tmpdir(), 'inglenook-bench-'))
const rows: Record<string, Record<string, string>> = {}

for (const actions of [100, 1_000, 10_000]) {
  const dbPath = join(folder, `${actions}.db`)
  fill(dbPath, actions)
  await using endpoint = await startEndpoint()
  const began = performance.now()
  const service = await start(loopback(dbPath))
  const at = (path: string) => new URL(path, service.address)
  await (await fetch(at('/adventures/1'))).text()
  const started = performance.now() - began
  const json = { headers: { 'Content-Type': 'application/json' } }
  await fetch(at('/api/settings'), {
    method: 'PUT',
    body: JSON.stringify({ endpoint_url: endpoint.url, model: 'm', loop_guard: false }),
    ...json,
  })

  const alone = await median(20, () =>
    firstToken(`${endpoint.url}/chat/completions`, { messages: [], stream: true }),
  )
  const played = await median(20, () =>
    firstToken(at('/api/adventures/1/actions').href, { type: 'continue' }),
  )
  const size = statSync(dbPath).size
  endpoint.byDefault(say('The road goes on. '.repeat(50)))
  for (let i = 0; i < 20; i++) await text('/api/adventures/1/actions', { type: 'continue' })
  service.deps.library.checkpoint()
  rows[`${actions} actions`] = {
    'in-process start to first page': ms(started),
    'play page': ms(await median(50, () => text('/adventures/1'))),
    'play page, bytes': String((await text('/adventures/1')).length),
    library: ms(await median(50, () => text('/'))),
    'overhead before the first token': ms(played - alone),
    undo: ms(await median(10, () => text('/api/adventures/1/undo', null))),
    'file growth per turn': `${((statSync(dbPath).size - size) / 20 / 1024).toFixed(1)} KiB`,
  }
  await service.stop()

  async function text(path: string, body?: object | null): Promise<string> {
    const init =
      body === undefined ? {} : { method: 'POST', ...(body ? { body: JSON.stringify(body), ...json } : {}) }
    return (await fetch(at(path), init)).text()
  }
}

console.table(rows)
console.table(await measureFiles(10_000))
console.log(`hider and referee on a reply of 4 KB: ${ms(refereeTime())}`)
console.table(await turnTable())
console.log(`a block of 5 MB: ${ms(hostileTime(`{"player.coat": "${'x'.repeat(5_000_000)}"}`))}`)
console.log(`10,000 nested objects: ${ms(hostileTime('{"a":'.repeat(10_000)))}`)
console.log(
  `memory: ${Math.round(process.memoryUsage.rss() / 1024 / 1024)} MiB, the model server and the measuring included`,
)
rmSync(folder, { recursive: true })

/** A library with one story of this many actions of about 880 bytes. */
function fill(path: string, actions: number): void {
  const library = openLibrary(path)
  library.write((tx) => {
    const time = '2026-01-01 00:00:00.000000'
    tx.insert('adventures', { title: 'Long', created_at: time, updated_at: time })
    for (let index = 0; index < actions; index++)
      tx.run(
        'INSERT INTO actions (adventure_id, "index", type, text, created_at) VALUES (1, ?, ?, ?, ?)',
        index,
        index % 2 ? 'do' : 'ai',
        `Passage ${index}. ${'The road goes on and on. '.repeat(35)}`,
        time,
      )
  })
  library.close()
}

async function firstToken(url: string, body: object): Promise<unknown> {
  const began = performance.now()
  const answer = await fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
  })
  const reader = answer.body?.getReader()
  let seen = ''
  while (!/"chunk"|"content"/.test(seen)) seen += new TextDecoder().decode((await reader?.read())?.value)
  const waited = performance.now() - began
  while (!(await reader?.read())?.done);
  return waited
}

async function median(times: number, work: () => Promise<unknown>): Promise<number> {
  const taken: number[] = []
  for (let i = 0; i < times; i++) {
    const began = performance.now()
    const measured = await work()
    taken.push(typeof measured === 'number' ? measured : performance.now() - began)
  }
  return taken.sort((a, b) => a - b)[Math.floor(times / 2)] ?? 0
}

function ms(time: number): string {
  return `${time.toFixed(2)} ms`
}

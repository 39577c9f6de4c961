import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { liveFrom } from '../src/app/turn/variants.ts'
import { storedTime } from '../src/db/column-values.ts'
import { openLibrary } from '../src/db/library/open.ts'
import { insertWholeAction } from '../src/db/tables/actions/write.ts'
import type { Variant } from '../src/domain/variant.ts'
import { recordDelta } from '../src/domain/world/delta-report.ts'
import { instantiate } from '../src/domain/world/state.ts'
import { PROGRAM_FOLDER } from '../src/lib/project.ts'
import { start } from '../src/start.ts'
import { loopback } from '../test/support/service/loopback.ts'
import { LANTERN_ROCK } from '../test/support/stories/worlds.ts'
import { serveLeast } from './least-files.ts'
import { ms } from './median.ts'
import { proseFrom } from './prose.ts'
import { watchLoop } from './watch-loop.ts'

/**
 * Exports a story with this many actions in every format, backs up the library, imports and audits the story, and runs
 * backup, restore and doctor on the library in use. For each: time, size, and the longest time the service was blocked.
 */
export async function measureFiles(actions: number): Promise<Record<string, Record<string, string>>> {
  const folder = mkdtempSync(join(tmpdir(), 'inglenook-files-'))
  const dbPath = join(folder, 'l.db')
  const storyBytes = fill(dbPath, actions)
  const service = await start(loopback(dbPath), { idleDelay: 1_000_000 })
  await service.deps.indexing.ended()
  const rows: Record<string, Record<string, string>> = {}
  const watched = async (name: string, work: () => Promise<{ what: string; took?: number }>) => {
    const watch = watchLoop()
    const used = process.cpuUsage()
    const began = performance.now()
    const done = await work()
    const { what, took = performance.now() - began } = done
    const { user, system } = process.cpuUsage(used)
    const stall = await watch()
    const speed = `${(storyBytes / 1_000 / took).toFixed(0)} MB of story text/s`
    rows[name] = {
      time: ms(took, AIMS[name]),
      'processor time': ms((user + system) / 1_000),
      speed,
      what,
      'longest stall': ms(stall, STALL),
    }
  }
  const asked = (path: string, file = '', name = /format=(\w+)/.exec(path)?.[1] ?? path) =>
    watched(name, async () => {
      const client = Bun.spawn([process.execPath, '-e', CLIENT, new URL(path, service.address).href, file], {
        stdout: 'pipe',
      })
      return await new Response(client.stdout).json()
    })
  const run = (program: string, ...args: string[]) =>
    watched(`npm run ${program}`, async () => {
      const env = {
        PATH: process.env.PATH ?? '',
        APP_DB_PATH: program === 'restore' ? join(folder, 'other.db') : dbPath,
      }
      const child = Bun.spawn([process.execPath, join(PROGRAM_FOLDER, 'src/index.ts'), program, ...args], {
        env,
        stdout: 'ignore',
      })
      return { what: `exit code ${await child.exited}` }
    })
  await asked('/api/health')
  const whole = '/api/adventures/1/export?format=json&attempts=true&stats=true'
  for (const format of ['json', 'legacy', 'jsonl', 'markdown', 'html', 'epub'])
    await asked(whole.replace('json', format))
  await asked('/api/backup')
  await asked('/api/adventures/1/audit')
  const file = join(folder, 'story.json')
  await Bun.write(file, await (await fetch(new URL(whole, service.address))).arrayBuffer())
  for (const path of ['/api/import', '/api/import?apply=1']) await asked(path, file)
  using least = serveLeast(dbPath)
  await asked(least.url.href, '', 'the least export')
  await asked(least.url.href, file, 'the least import')
  const copy = join(folder, 'copy.db')
  await run('backup', copy)
  await run('restore', copy)
  await run('doctor')
  await service.stop()
  rmSync(folder, { recursive: true })
  return rows
}

// A separate process, so that reading the response does not count as work of the service; nor does starting it.
const CLIENT = `const [url, file] = process.argv.slice(-2)
  const init = file.endsWith('.json') ? { method: 'POST', body: Bun.file(file) } : {}
  const began = performance.now()
  const answer = await fetch(url, init)
  const size = (await answer.arrayBuffer()).byteLength
  const took = performance.now() - began
  console.log(JSON.stringify({ what: (size / 1e6).toFixed(1) + ' MB, status ' + answer.status, took }))`

/** Milliseconds for a story of 10,000 actions, and for the longest stall. */
const AIMS: Record<string, number> = { json: 60, '/api/import?apply=1': 500 }
const STALL = 50

/**
 * A library with one English story of actions of about 880 bytes, with states and verdicts that follow from each other; every
 * tenth passage has two attempts. Returns the bytes of its text.
 */
function fill(path: string, actions: number): number {
  const prose = proseFrom(4)
  let bytes = 0
  const library = openLibrary(path)
  const now = new Date('2026-01-01T00:00:00Z')
  let state = instantiate(LANTERN_ROCK)
  library.write((tx) => {
    tx.insert('adventures', {
      title: 'Long',
      language: 'en',
      created_at: storedTime(now),
      updated_at: storedTime(now),
      world_state: '{}',
      stat_schema: JSON.stringify(LANTERN_ROCK),
    })
    for (let index = 0; index < actions; index++) {
      const before = state
      const isTold = index % 2 === 0
      const text = isTold ? prose(1_700) : '> You go on.'
      bytes += text.length
      const attempt: Variant = { text, reasoning: null, created_at: now.toISOString() }
      if (isTold) {
        const delta = { 'player.warmth': index % 4 === 0 ? -9 : 9 }
        const because = { 'player.warmth': text.slice(0, 60) }
        const target = { before, index, roll: null }
        attempt.raw_output = `${text}\n`
        attempt.world_state = recordDelta(LANTERN_ROCK, target, {
          answer: { delta, because, refused: [] },
          call: null,
        })
        state = attempt.world_state.state
      }
      const variants = isTold ? (index % 20 === 0 ? [attempt, attempt] : [attempt]) : []
      const live = { ...liveFrom(attempt), variants, variant_index: 0 }
      const type = isTold ? 'ai' : 'do'
      const action = { type, hidden: false, world_state_before: before, live, created_at: now } as const
      insertWholeAction(tx, { adventure_id: 1, index }, action, now)
    }
    tx.update('adventures', 1, { world_state: JSON.stringify(state), action_count: actions })
  })
  library.close()
  return bytes
}

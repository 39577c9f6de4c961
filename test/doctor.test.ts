import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openLibrary } from '../src/db/open.ts'
import { leaveEarlierLibrary } from './support/earlier-release.ts'
import { startServer } from './support/server.ts'
import { temporaryFolder } from './support/temporary.ts'
import { LANTERN_ROCK } from './support/worlds.ts'

const server = await startServer()
const { body: scenario } = await server.post('/api/scenarios', {
  title: 'SECRET title',
  prompt: 'SECRET words',
  stat_schema: LANTERN_ROCK,
})
const { body: adventure } = await server.post('/api/adventures', { scenario_id: scenario.id })
await server.send('PUT', `/api/adventures/${adventure.id}/world-state`, { 'player.coat': 'SECRET coat' })

async function doctor(path = server.path): Promise<{ code: number; said: string }> {
  const run = Bun.spawn([process.execPath, join(import.meta.dir, '../src/doctor.ts')], {
    env: { ...process.env, APP_DB_PATH: path },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const said = (await new Response(run.stdout).text()) + (await new Response(run.stderr).text())
  return { code: await run.exited, said }
}

test('the doctor looks a library over while it is in use, and says no word of its stories', async () => {
  const before = readFileSync(server.path)
  const { code, said } = await doctor()
  expect([code, said]).toEqual([0, expect.stringContaining('Everything adds up.')])
  expect(said).toContain(`Adventure ${adventure.id}: 0 turns`)
  expect(said).not.toContain('SECRET')
  expect(readFileSync(server.path).equals(before)).toBe(true)
})

test('what does not add up is named, and what is not strict JSON', async () => {
  using db = new Database(server.path)
  db.run('PRAGMA busy_timeout = 5000')
  db.run(
    `UPDATE adventures SET world_state = replace(world_state, 'SECRET coat', 'another') WHERE id = ${adventure.id}`,
  )
  db.run(
    `UPDATE actions SET world_state_before = '{"player": {"warmth": NaN}}' WHERE adventure_id = ${adventure.id}`,
  )
  const { code, said } = await doctor()
  expect(code).toBe(1)
  expect(said).toContain('player.coat: is not what the story left')
  expect(said).toContain('actions.world_state_before: 1 rows')
  expect(said).not.toContain('SECRET')
})

test('what a library of the earlier release could not give us whole is named', async () => {
  const path = join(temporaryFolder(), 'library.db')
  leaveEarlierLibrary(path, {
    version: 37,
    also: `UPDATE actions SET context_snapshot = 'SECRET {' WHERE id = 3; UPDATE memories SET embedding = '[NaN]' WHERE id = 1;
      PRAGMA foreign_keys = OFF; UPDATE actions SET adventure_id = 9 WHERE id IN (4, 5); UPDATE adventures SET scenario_id = 9`,
  })
  expect((await doctor(path)).said).toContain('Start it once')
  openLibrary(path).close()
  const { code, said } = await doctor(path)
  expect(code).toBe(0)
  for (const line of [
    'actions: 2 rows belong to a row of adventures that is gone',
    'adventures: 2 rows belong to a row of scenarios that is gone',
    'actions.context_snapshot: 1 rows keep a prompt that cannot be read',
    'memories.embedding: 1 rows keep a vector',
  ])
    expect(said).toContain(line)
  expect(said).not.toContain('SECRET')
})

test('a library that is not there is a sentence', async () =>
  expect(await doctor('/nowhere/library.db')).toEqual({
    code: 1,
    said: 'There is no library at /nowhere/library.db.\n',
  }))

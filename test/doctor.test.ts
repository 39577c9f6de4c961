import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startServer } from './support/server.ts'
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

test('a library that is not there is a sentence', async () =>
  expect(await doctor('/nowhere/library.db')).toEqual({
    code: 1,
    said: 'There is no library at /nowhere/library.db.\n',
  }))

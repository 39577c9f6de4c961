import { afterAll, expect, test } from 'bun:test'
import { copyFileSync, existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { depth } from '../support/depth.ts'
import { leaveEarlierLibrary } from '../support/earlier/release.ts'
import { say, startEndpoint } from '../support/endpoint/endpoint.ts'
import { openLibrary } from '../support/library/open.ts'
import { difference, faultsIn, type WholeLibrary, wholeLibrary } from '../support/library/whole-library.ts'
import { spawnProgram } from '../support/service/process.ts'
import { startServer } from '../support/service/server.ts'
import { Service } from '../support/service/service.ts'
import { dice, SEED } from '../support/stories/dice.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** The number of kills for each of these tests. */
const kills = (share: number) => Math.ceil(depth('KILLS') * share)
const random = dice(SEED)
const endpoint = await startEndpoint()
afterAll(() => endpoint.close())

/** Pages full of text, so that copying and changing the file takes some time. */
const PADDED = `UPDATE actions SET text = text || ' ' || hex(randomblob(30000));
  UPDATE scenarios SET memory = hex(randomblob(20000))`

/** The files next to a library that is not in use, except the given ones. */
function leftIn(path: string, besides: RegExp): string[] {
  const copies = join(dirname(path), 'backups')
  const half = existsSync(copies)
    ? readdirSync(copies).filter((name) => !/^library\.\d{4}-\d\d-\d\d\.db$/.test(name))
    : []
  return readdirSync(dirname(path))
    .filter((name) => !/^(library\.db(\.lock|-wal|-shm)?|backups)$/.test(name) && !besides.test(name))
    .concat(half)
}

function opened(path: string): WholeLibrary {
  openLibrary(path).close()
  return wholeLibrary(path)
}

/** Runs a program and kills it at a random moment of its usual run time, or lets it finish. Returns its undisturbed run time. */
async function killed(
  program: string,
  env: Record<string, string>,
  args: string[],
  within: number,
): Promise<void> {
  const child = spawnProgram(program, env, args)
  await Promise.race([child.exited, Bun.sleep(random.next() * within)])
  child.kill('SIGKILL')
  await child.exited
}

/** Milliseconds from start to the first response on this machine. */
async function startTime(path: string): Promise<number> {
  const began = performance.now()
  const service = await Service.start({ APP_DB_PATH: path })
  const took = performance.now() - began
  await service.kill()
  return took
}

test('75 killed while a library of the earlier release is upgraded, it opens with all its text', async () => {
  const original = join(temporaryFolder(), 'original.db')
  leaveEarlierLibrary(original, { also: PADDED })
  const whole = join(temporaryFolder(), 'library.db')
  copyFileSync(original, whole)
  const within = await startTime(whole)
  const expected = opened(whole)
  for (let kill = 0; kill < kills(0.1); kill++) {
    const path = join(temporaryFolder(), 'library.db')
    copyFileSync(original, path)
    const env = { APP_DB_PATH: path }
    await killed('start', env, [], within)
    if (kill % 2) await killed('start', env, [], within)
    const why = `seed ${SEED}, kill ${kill}`
    expect([why, difference(expected, opened(path))]).toEqual([why, ''])
    expect([why, faultsIn(path), leftIn(path, BEFORE)]).toEqual([why, [], []])
    // Each kept copy is a library, and the first is the original file.
    const copies = readdirSync(dirname(path))
      .filter((name) => BEFORE.test(name))
      .sort()
    expect([why, copies.length > 0]).toEqual([why, true])
    for (const copy of copies) expect([why, faultsIn(join(dirname(path), copy))]).toEqual([why, []])
    const first = wholeLibrary(join(dirname(path), copies[0] ?? ''))
    expect([why, difference(wholeLibrary(original), first)]).toEqual([why, ''])
  }
})

const BEFORE = /^library\.before-\d{4}-[a-z-]+-\d{8}T\d{6}\+*\.db$/

test('75 killed while the first library is created, the next start creates a complete one', async () => {
  const whole = join(temporaryFolder(), 'library.db')
  const within = await startTime(whole)
  const expected = opened(whole)
  for (let kill = 0; kill < kills(0.08); kill++) {
    const path = join(temporaryFolder(), 'library.db')
    await killed('start', { APP_DB_PATH: path }, [], within)
    const why = `seed ${SEED}, kill ${kill}`
    expect([why, difference(expected, opened(path))]).toEqual([why, ''])
    expect([why, faultsIn(path), leftIn(path, /^$/)]).toEqual([why, [], []])
  }
})

test('75 killed during a restore, the library is the old one or the new one, and the old one is kept', async () => {
  const [old, copy] = [join(temporaryFolder(), 'old.db'), join(temporaryFolder(), 'copy.db')]
  leaveEarlierLibrary(old, { also: PADDED })
  leaveEarlierLibrary(copy, { also: `${PADDED}; UPDATE adventures SET title = 'Put back'` })
  const [before, after] = [opened(old), opened(copy)]
  const began = performance.now()
  const tried = join(temporaryFolder(), 'library.db')
  copyFileSync(old, tried)
  await spawnProgram('restore', { APP_DB_PATH: tried }, [copy]).exited
  const within = performance.now() - began
  for (let kill = 0; kill < kills(0.1); kill++) {
    const path = join(temporaryFolder(), 'library.db')
    copyFileSync(old, path)
    // As after an earlier kill: the last changes are in the journal.
    const service = await Service.start({ APP_DB_PATH: path })
    await service.ask('PATCH', '/api/adventures/1', { memory: 'Last words.' })
    await service.kill()
    const words = before.map((row) =>
      row.startsWith('adventures {"id":1,') ? row.replace('"memory":""', '"memory":"Last words."') : row,
    )
    await killed('restore', { APP_DB_PATH: path }, [copy], within)
    const why = `seed ${SEED}, kill ${kill}`
    const now = opened(path)
    const isOld = !now.some((row) => row.includes('Put back'))
    expect([why, difference(isOld ? words : after, now)]).toEqual([why, ''])
    expect([why, faultsIn(path), leftIn(path, KEPT)]).toEqual([why, [], []])
    const kept = readdirSync(dirname(path)).filter((name) => KEPT.test(name))
    if (!isOld) expect([why, kept.length]).toEqual([why, 1])
    for (const name of kept)
      expect([why, difference(words, wholeLibrary(join(dirname(path), name)))]).toEqual([why, ''])
  }
})

const KEPT = /^library\.before-restore-\d{8}T\d{6}\.db$/

test('75 killed while the library is copied, every file with the name of a copy is complete', async () => {
  const path = join(temporaryFolder(), 'library.db')
  leaveEarlierLibrary(path, { also: PADDED })
  const expected = opened(path)
  const copies = join(dirname(path), 'backups')
  for (let kill = 0; kill < kills(0.06); kill++) {
    const why = `seed ${SEED}, kill ${kill}`
    if (kill % 2) await killed('backup', { APP_DB_PATH: path }, [], 300)
    else {
      const service = await Service.start({ APP_DB_PATH: path })
      const sending = service.ask('GET', '/api/backup').then((answer) => answer.body?.cancel())
      await Promise.race([sending.catch(() => {}), Bun.sleep(random.next() * 200)])
      await service.kill()
      await sending.catch(() => {})
    }
    expect([why, difference(expected, opened(path))]).toEqual([why, ''])
    // A copy that a person requested may still be in progress: the start keeps it, and the doctor reports it.
    const left = (existsSync(copies) ? readdirSync(copies) : []).filter((name) => !BROKEN_OFF.test(name))
    expect([why, left.filter((name) => !COPY.test(name))]).toEqual([why, []])
    for (const name of left) expect([why, faultsIn(join(copies, name))]).toEqual([why, []])
  }
})

const COPY = /^library\.(copy-\d{8}T\d{6}\+*|\d{4}-\d\d-\d\d)\.db$/
const BROKEN_OFF = /^library\.copy-\d{8}T\d{6}\+*\.db\.\d+\.unfinished(-journal)?$/

test('75 killed during idle work (memories, copies), the service continues it after the next start', async () => {
  const original = join(temporaryFolder(), 'original.db')
  const { id, due } = await storyToRemember(original)
  const asked = () => endpoint.requests.length
  endpoint.byDefault(say('They kept the lamp lit.', { pieces: 2 }))
  for (let kill = 0; kill < kills(0.04); kill++) {
    const path = join(temporaryFolder(), 'library.db')
    copyFileSync(original, path)
    const killed = await Service.start({ APP_DB_PATH: path })
    const before = asked()
    // Until it starts making memories; then at any moment.
    while (asked() === before) await Bun.sleep(5)
    await Bun.sleep(random.next() * 40)
    await killed.kill()
    expect(faultsIn(path)).toEqual([])

    const service = await Service.start({ APP_DB_PATH: path })
    const memories = async () => service.json('GET', `/api/adventures/${id}/memories`)
    const copies = join(dirname(path), 'backups')
    const daily = () =>
      existsSync(copies)
        ? readdirSync(copies).filter((name) => /^library\.\d{4}-\d\d-\d\d\.db$/.test(name))
        : []
    while ((await memories()).length < due || daily().length === 0) await Bun.sleep(20)
    const made: { source_start: number; source_end: number; text: string }[] = await memories()
    // Each passage exactly once.
    expect(made.map(({ source_start }) => source_start)).toEqual([
      ...new Set(made.map(({ source_start }) => source_start)),
    ])
    for (const [i, { source_start, text }] of made.entries()) {
      expect(text).toBe('They kept the lamp lit.')
      if (i > 0) expect(source_start).toBe((made[i - 1]?.source_end ?? 0) + 1)
    }
    expect(faultsIn(join(copies, daily()[0] ?? ''))).toEqual([])
    expect(await service.end()).toBe(0)
    expect(statSync(`${path}-wal`, { throwIfNoEntry: false })).toBeUndefined()
    expect(readdirSync(copies)).toEqual(daily())
  }
})

/** A stopped service with a story whose memories are due. */
async function storyToRemember(path: string): Promise<{ id: number; due: number }> {
  const server = await startServer({ dbPath: path })
  await server.send('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'test-model' })
  const { id } = (await server.post('/api/adventures', { title: 'Lamp' })).body
  const remember = (is: boolean) =>
    server.send('PATCH', `/api/adventures/${id}`, { memory_bank_enabled: is, auto_summarize: is })
  // A turn would make the memory that is overdue.
  await remember(false)
  for (let turn = 0; turn < 20; turn++)
    await (
      await server.ask(`/api/adventures/${id}/actions`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ type: 'do', text: `wait ${turn}` }),
      })
    ).text()
  await remember(true)
  await server.stop()
  return { id, due: 5 }
}

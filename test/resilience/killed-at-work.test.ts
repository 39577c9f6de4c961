import { expect, test } from 'bun:test'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { depth } from '../support/depth.ts'
import { leaveEarlierLibrary } from '../support/earlier/release.ts'
import { openLibrary } from '../support/library/open.ts'
import { difference, faultsIn, type WholeLibrary, wholeLibrary } from '../support/library/whole-library.ts'
import { anyMoment, killAt } from '../support/service/kill-moments.ts'
import { spawnProgram } from '../support/service/process.ts'
import { type Ask, Service } from '../support/service/service.ts'
import { dice, SEED } from '../support/stories/dice.ts'
import { temporaryFolder } from '../support/temporary.ts'

const KILLS = Math.ceil(depth('KILLS') * 0.5)
const random = dice(SEED)
const PADDED = `UPDATE actions SET text = text || ' ' || hex(randomblob(20000))`

const file = (name: string) => join(temporaryFolder(), name)
const [earlier, current, backup] = [file('earlier.db'), file('current.db'), file('backup.db')]
leaveEarlierLibrary(earlier, { also: PADDED })
leaveEarlierLibrary(backup, { also: `${PADDED}; UPDATE adventures SET title = 'From the backup'` })
copyFileSync(earlier, current)
for (const path of [current, backup]) openLibrary(path).close()

/** A request to a service, or a program with its arguments. */
type Work = Ask | string[]

/** Does the work and is killed at a random moment of its usual time. Returns whether it has confirmed the work. */
async function killedAt(work: Work, path: string, milliseconds: number): Promise<boolean> {
  if (!Array.isArray(work)) {
    const service = await Service.start({ APP_DB_PATH: path })
    const { status } = await killAt(service, path, work, anyMoment(random, milliseconds, 0))
    return status !== null && status < 400
  }
  const [program = '', ...args] = work
  const child = spawnProgram(program, { APP_DB_PATH: path, APP_PORT: '0' }, args)
  const ended = child.exited.then((code) => code === 0)
  const isDone = await Promise.race([ended, Bun.sleep(random.next() * milliseconds).then(() => false)])
  child.kill('SIGKILL')
  await child.exited
  return isDone
}

/** The rows after the whole work, and how long it took. */
async function undisturbed(work: Work, path: string): Promise<{ rows: WholeLibrary; milliseconds: number }> {
  let began = performance.now()
  let milliseconds = 0
  if (Array.isArray(work) && work[0] !== 'start') {
    await spawnProgram(work[0] ?? '', { APP_DB_PATH: path }, work.slice(1)).exited
    milliseconds = performance.now() - began
  } else {
    const service = await Service.start({ APP_DB_PATH: path })
    if (!Array.isArray(work)) {
      began = performance.now()
      const { status } = await service.ask(work.method, work.path, work.body)
      expect([work.path, status < 300]).toEqual([work.path, true])
    }
    milliseconds = performance.now() - began
    await service.end()
  }
  return { rows: opened(path), milliseconds }
}

const LONG_STORY = {
  format: 'ai-dnd-adventure-v1',
  title: 'Long',
  actions: Array.from({ length: 1_500 }, (_, index) => ({
    index,
    type: index === 0 ? 'start' : index % 2 ? 'do' : 'ai',
    text: `Passage ${index}. `.repeat(40),
  })),
}

const WORK: [what: string, library: string, work: Work][] = [
  ['an import', current, { method: 'POST', path: '/api/import?apply=1', body: LONG_STORY }],
  ['a restore', current, ['restore', backup]],
  ['a migration', earlier, ['start']],
  [
    'a branch',
    current,
    { method: 'POST', path: '/api/adventures/1/family', body: { action_id: 3, name: 'North' } },
  ],
  [
    'settings',
    current,
    { method: 'PUT', path: '/api/settings', body: { narrator_prompt: 'You narrate. '.repeat(700) } },
  ],
]

/** The rows of a library after a start has finished or removed what it has found. */
function opened(path: string): WholeLibrary {
  openLibrary(path).close()
  return wholeLibrary(path)
}

test(`75 killed ${KILLS} times during an import, a restore, a migration, a branch or settings, what was confirmed is there`, async () => {
  const before = opened(current)
  const whole = new Map<string, { rows: WholeLibrary; milliseconds: number }>()
  const seen: Record<string, number> = {}
  for (let kill = -WORK.length; kill < KILLS; kill++) {
    const [what, library, work] = WORK.at(kill % WORK.length) as (typeof WORK)[number]
    const path = file('library.db')
    copyFileSync(library, path)
    const known = whole.get(what)
    if (known === undefined) {
      whole.set(what, await undisturbed(work, path))
      continue
    }
    const isConfirmed = await killedAt(work, path, known.milliseconds * 1.2)
    const rows = opened(path)
    const isWhole = difference(known.rows, rows) === ''
    const why = `seed ${SEED}, kill ${kill}, ${what}`
    expect([why, isWhole ? '' : difference(isConfirmed ? known.rows : before, rows)]).toEqual([why, ''])
    expect([why, faultsIn(path)]).toEqual([why, []])
    const outcome = `${what}: ${isConfirmed ? 'confirmed' : isWhole ? 'whole, not confirmed' : 'nothing'}`
    seen[outcome] = (seen[outcome] ?? 0) + 1
  }
  if (process.env.APP_TEST_TALK) console.log(seen)
})

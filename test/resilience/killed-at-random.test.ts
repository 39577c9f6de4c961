import { afterAll, expect, test } from 'bun:test'
import { copyFileSync, existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { depth } from '../support/depth.ts'
import { gate, startEndpoint, status } from '../support/endpoint/endpoint.ts'
import { difference, faultsIn, type WholeLibrary, wholeLibrary } from '../support/library/whole-library.ts'
import { ofType, startTurn } from '../support/service/events.ts'
import { anyMoment, type Known, killAt, type Moment } from '../support/service/kill-moments.ts'
import { fillShelf, OPERATIONS, type Operation, replyOf, type Shelf } from '../support/service/operations.ts'
import { startServer, type TestServer } from '../support/service/server.ts'
import { type Ask, initOf, Service } from '../support/service/service.ts'
import { dice, SEED } from '../support/stories/dice.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** The number of kills in this file; the other tests use a share of it. */
const KILLS = Math.ceil(depth('KILLS') * 0.6)
const random = dice(SEED)

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())

/** The possible results of an operation, from nothing to all of it. */
interface Outcomes {
  before: WholeLibrary
  /** With the player's text as a draft and as a waiting line, if the operation has one. */
  drafted: WholeLibrary | null
  lined: WholeLibrary | null
  /** With the text of the reply, before its changes are recorded. */
  told: WholeLibrary | null
  whole: WholeLibrary
  milliseconds: number
}

/** Runs the operation undisturbed on a copy of the library. Returns the possible results and the requests. */
async function outcomesOf(operation: Operation, copy: string, shelf: Omit<Shelf, 'reader'>, warmth: number) {
  const server = await startServer({ dbPath: copy })
  const ask = operation.ask({ ...shelf, reader: server.deps.library.reader }, random)
  const outcomes: Outcomes = {
    before: wholeLibrary(copy),
    drafted: null,
    lined: null,
    told: null,
    whole: [],
    milliseconds: 0,
  }
  if (operation.drafts) {
    await server.ask(
      `/adventures/${shelf.story}/draft`,
      initOf({ ...ask, form: { type: 'do', text: operation.drafts } }),
    )
    outcomes.drafted = wholeLibrary(copy)
  }
  if (operation.tells === 'a line') {
    endpoint.byDefault(status(400))
    await (await server.ask(ask.path, initOf(ask))).text()
    await server.deps.locks.freed(shelf.story)
    outcomes.lined = wholeLibrary(copy)
  }
  const began = performance.now()
  if (operation.tells) {
    const turn = outcomes.lined ? { path: `/api/adventures/${shelf.story}/retry` } : ask
    outcomes.told = await tell(server, { method: 'POST', ...turn }, { copy, warmth })
  } else await (await server.ask(ask.path, initOf(ask))).text()
  outcomes.milliseconds = performance.now() - began
  outcomes.whole = wholeLibrary(copy)
  await server.stop()
  return { ask, outcomes }
}

/** Plays a turn. Returns the library as it is while its changes are asked for. */
async function tell(server: TestServer, ask: Ask, { copy, warmth }: { copy: string; warmth: number }) {
  const door = gate()
  endpoint.byDefault(replyOf(warmth, 1, door.opened))
  const turn = await startTurn(server, ask.path, ask.body)
  await turn.until(ofType('told'))
  const told = wholeLibrary(copy)
  door.open()
  await turn.rest()
  return told
}

/** Which results are correct, given what the client received. */
function rightAfter(
  operation: Operation,
  { status: answered, told }: Known,
  outcomes: Outcomes,
): (keyof Outcomes)[] {
  const accepted = operation.tells ? told.includes('"type":"done"') : answered !== null && answered < 400
  if (accepted) return ['whole']
  const last = [...(outcomes.told ? (['told'] as const) : []), 'whole' as const]
  if (told.includes('"type":"told"') || told.includes('event: turn-ended')) return last
  // A form is answered when its line is stored.
  const isLined = told.includes('"type":"player"') || (operation.drafts !== undefined && answered !== null)
  if (isLined) return ['lined', ...last]
  return [
    'before',
    ...(outcomes.drafted ? (['drafted'] as const) : []),
    ...(outcomes.lined ? (['lined'] as const) : []),
    ...last,
  ]
}

/** All files that may be in the folder of a library while a service is using it. */
const BELONGS = /^library\.db(-wal|-shm|\.lock|\.lock-journal)?$|^backups$/

test(`75 killed ${KILLS} times within any write, all of it is stored or nothing, and the next turn works`, async () => {
  const path = join(temporaryFolder(), 'library.db')
  const shelf = await fillShelf(path, endpoint)
  const left = { moment: 'the beginning', allowed: [wholeLibrary(path)] as (WholeLibrary | null)[] }
  const seen: Record<string, number> = {}
  let order: Operation[] = []
  for (let kill = 0; kill <= KILLS; kill++) {
    if (order.length === 0) order = OPERATIONS.toSorted(() => random.next() - 0.5)
    const operation = order.pop() ?? OPERATIONS[0]
    if (!operation) break
    const copy = join(temporaryFolder(), 'library.db')
    for (const suffix of ['', '-wal'])
      if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix)
    const warmth = random.below(9) - 4
    // The service restarts after the last kill while the next operation runs on the copy.
    const [service, { ask, outcomes }] = await Promise.all([
      Service.start({ APP_DB_PATH: path }),
      outcomesOf(operation, copy, shelf, warmth),
    ])
    const why = `seed ${SEED}, kill ${kill - 1}, ${left.moment}`
    const isRight = left.allowed.some((rows) => rows !== null && Bun.deepEquals(rows, outcomes.before))
    expect([why, isRight ? '' : difference(left.allowed.at(-1) ?? [], outcomes.before)]).toEqual([why, ''])
    expect([why, faultsIn(path)]).toEqual([why, []])
    const audit = await service.json('GET', `/api/adventures/${shelf.story}/audit`)
    expect([why, audit]).toMatchObject([why, { ok: true, findings: [] }])
    // Takes the lock and changes nothing.
    const free = await service.ask('PUT', `/api/adventures/${shelf.story}/world-state`, {})
    expect([why, free.status]).toEqual([why, 200])
    expect([why, readdirSync(dirname(path)).filter((name) => !BELONGS.test(name))]).toEqual([why, []])
    const moment: Moment = anyMoment(random, outcomes.milliseconds, operation.tells ? 4_500 : 0)
    const known = await killAt(service, path, ask, moment)
    const right = rightAfter(operation, known, outcomes)
    left.moment = `${operation.name} (${JSON.stringify(ask).slice(0, 120)}) ${JSON.stringify(moment)}, status ${known.status}, ${right.join(' or ')}`
    left.allowed = right.map((outcome) => outcomes[outcome] as WholeLibrary | null)
    seen[right.join('|')] = (seen[right.join('|')] ?? 0) + 1
    if (process.env.APP_TEST_TALK) console.log(kill, left.moment.slice(0, 200))
  }
  if (process.env.APP_TEST_TALK) console.log(seen)
})

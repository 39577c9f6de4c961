import { afterAll, expect, test } from 'bun:test'
import { copyFileSync, existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DEEDS, type Deed, fillShelf, replyOf, type Shelf } from '../support/service/operations.ts'
import { dice, SEED } from '../support/stories/dice.ts'
import { type Step, startEndpoint, status } from '../support/endpoint/endpoint.ts'
import { retryTurn } from '../support/service/events.ts'
import { anyMoment, type Known, killAt, type Moment } from '../support/service/kill-moments.ts'
import { startServer } from '../support/service/server.ts'
import { initOf, Service } from '../support/service/service.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { difference, faultsIn, type WholeLibrary, wholeLibrary } from '../support/library/whole-library.ts'

/** How many kills there are over all; what else is killed has its own share. */
const KILLS = Math.ceil(Number(process.env.APP_TEST_KILLS ?? 100) * 0.6)
const random = dice(SEED)

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())

/** What a deed may leave behind, from nothing to all of it. */
interface Outcomes {
  before: WholeLibrary
  /** With the player's words as a draft, and as a line that waits: only where they are typed. */
  drafted: WholeLibrary | null
  lined: WholeLibrary | null
  whole: WholeLibrary
  milliseconds: number
}

/** Does the deed undisturbed, on a copy of the library, and gives what may come of it, and what was asked. */
async function outcomesOf(deed: Deed, copy: string, shelf: Omit<Shelf, 'reader'>, reply: Step) {
  const server = await startServer({ dbPath: copy })
  const ask = deed.ask({ ...shelf, reader: server.deps.library.reader }, random)
  const outcomes: Outcomes = {
    before: wholeLibrary(copy),
    drafted: null,
    lined: null,
    whole: [],
    milliseconds: 0,
  }
  if (deed.drafts) {
    await server.ask(
      `/adventures/${shelf.story}/draft`,
      initOf({ ...ask, form: { type: 'do', text: deed.drafts } }),
    )
    outcomes.drafted = wholeLibrary(copy)
  }
  if (deed.tells === 'a line') {
    endpoint.byDefault(status(400))
    await (await server.ask(ask.path, initOf(ask))).text()
    outcomes.lined = wholeLibrary(copy)
  }
  endpoint.byDefault(reply)
  const began = performance.now()
  if (outcomes.lined) await retryTurn(server, shelf.story)
  else await (await server.ask(ask.path, initOf(ask))).text()
  outcomes.milliseconds = performance.now() - began
  outcomes.whole = wholeLibrary(copy)
  await server.stop()
  return { ask, outcomes }
}

/** Which outcomes are right, after what the client was told. */
function rightAfter(deed: Deed, { status: answered, told }: Known, outcomes: Outcomes): (keyof Outcomes)[] {
  const accepted = deed.tells
    ? told.includes('"type":"done"') || told.includes('id="tools"')
    : answered !== null && answered < 400
  if (accepted) return ['whole']
  const isLined = told.includes('"type":"player"')
  if (isLined) return ['lined', 'whole']
  return [
    'before',
    ...(outcomes.drafted ? (['drafted'] as const) : []),
    ...(outcomes.lined ? (['lined'] as const) : []),
    'whole',
  ]
}

/** All that may lie in the folder of a library while a service uses it. */
const BELONGS = /^library\.db(-wal|-shm|\.lock|\.lock-journal)?$|^backups$/

test(`75 killed ${KILLS} times within any write, all of it is there or nothing, and the next turn plays`, async () => {
  const path = join(temporaryFolder(), 'library.db')
  const shelf = await fillShelf(path, endpoint)
  const left = { moment: 'the beginning', allowed: [wholeLibrary(path)] as (WholeLibrary | null)[] }
  const seen: Record<string, number> = {}
  let order: Deed[] = []
  for (let kill = 0; kill <= KILLS; kill++) {
    if (order.length === 0) order = DEEDS.toSorted(() => random.next() - 0.5)
    const deed = order.pop() ?? DEEDS[0]
    if (!deed) break
    const copy = join(temporaryFolder(), 'library.db')
    for (const suffix of ['', '-wal'])
      if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix)
    const reply = replyOf(random.below(9) - 4, 1)
    // The service comes back from the last kill while the next deed is tried on the copy.
    const [service, { ask, outcomes }] = await Promise.all([
      Service.start({ APP_DB_PATH: path }),
      outcomesOf(deed, copy, shelf, reply),
    ])
    const why = `seed ${SEED}, kill ${kill - 1}, ${left.moment}`
    const isRight = left.allowed.some((rows) => rows !== null && Bun.deepEquals(rows, outcomes.before))
    expect([why, isRight ? '' : difference(left.allowed.at(-1) ?? [], outcomes.before)]).toEqual([why, ''])
    expect([why, faultsIn(path)]).toEqual([why, []])
    const audit = await service.json('GET', `/api/adventures/${shelf.story}/audit`)
    expect([why, audit]).toMatchObject([why, { ok: true, findings: [] }])
    // It takes the lock, and sets nothing.
    const free = await service.ask('PUT', `/api/adventures/${shelf.story}/world-state`, {})
    expect([why, free.status]).toEqual([why, 200])
    expect([why, readdirSync(dirname(path)).filter((name) => !BELONGS.test(name))]).toEqual([why, []])
    const moment: Moment = anyMoment(random, outcomes.milliseconds, deed.tells ? 2_500 : 0)
    const known = await killAt(service, path, ask, moment)
    const right = rightAfter(deed, known, outcomes)
    left.moment = `${deed.name} (${JSON.stringify(ask).slice(0, 120)}) ${JSON.stringify(moment)}, status ${known.status}, ${right.join(' or ')}`
    left.allowed = right.map((outcome) => outcomes[outcome] as WholeLibrary | null)
    seen[right.join('|')] = (seen[right.join('|')] ?? 0) + 1
    if (process.env.APP_TEST_TALK) console.log(kill, left.moment.slice(0, 200))
  }
  if (process.env.APP_TEST_TALK) console.log(seen)
}, 6_000_000)

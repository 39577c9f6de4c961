import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { listBranches } from '../../../src/db/stories/branches.ts'
import { lanesOf } from '../../../src/domain/family/branch-map.ts'
import { depth } from '../../support/depth.ts'
import { sayAndRecord } from '../../support/endpoint/endpoint.ts'
import { dumpOf } from '../../support/library/dump.ts'
import { playTurn, retryTurn } from '../../support/service/events.ts'
import { startWithModel } from '../../support/service/with-model.ts'
import { LANTERN_ROCK } from '../../support/stories/worlds.ts'

const { endpoint, server } = await startWithModel({}, {})
const { reader } = server.deps.library

let replies = 0
endpoint.byDefault((exchange) =>
  sayAndRecord(`Passage ${++replies}.`, { 'player.warmth': (replies % 5) - 2 })(exchange),
)
const { body: scenario } = await server.post('/api/scenarios', {
  title: 'Lantern Rock',
  prompt: 'You light the lamp.',
  stat_schema: LANTERN_ROCK,
})

/** An operation, its branch and its position: numbers modulo the count. */
const operations = fc.array(
  fc.record({
    kind: fc.constantFrom(
      'play',
      'play',
      'play',
      'retry',
      'undo',
      'switch',
      'edit',
      'branch',
      'branch',
      'delete',
      'refresh',
      'values',
      'export',
    ),
    on: fc.nat(),
    where: fc.nat(),
  }),
  { minLength: 5, maxLength: 25 },
)
type Operation = { kind: string; on: number; where: number }

/** The maximum number of branches: with more, a run takes long. */
const MAX_BRANCHES = 6

async function run(branch: number, { kind, where }: Operation, count: number): Promise<void> {
  const path = `/api/adventures/${branch}`
  const { actions } = (await server.get(path)).body
  const action = actions[where % Math.max(1, actions.length)]
  const newest = actions.at(-1)
  if (kind === 'play') await playTurn(server, branch, { type: 'do', text: `step ${where % 100}` })
  if (kind === 'retry' && newest?.type === 'ai') await retryTurn(server, branch)
  if (kind === 'undo') await server.post(`${path}/undo`)
  if (kind === 'switch' && newest?.variant_count > 1)
    await server.post(`${path}/actions/${newest.id}/variant`, { index: where % newest.variant_count })
  if (kind === 'edit' && action)
    await server.send('PATCH', `${path}/actions/${action.id}`, { text: `Edited ${where % 100}.` })
  if (kind === 'values') await server.send('PUT', `${path}/world-state`, { 'player.warmth': where % 10 })
  if (kind === 'refresh') await server.post(`${path}/refresh`)
  if (kind === 'export') {
    const format = where % 2 === 0 ? 'family' : 'markdown&branches=true'
    expect((await server.ask(`${path}/export?format=${format}`)).status).toBe(200)
  }
  if (kind === 'branch' && action && count < MAX_BRANCHES) {
    const { status } = await server.post(`${path}/family`, { action_id: action.id })
    expect(status).toBe(201)
  }
  if (kind === 'delete' && count > 1) await server.send('DELETE', path)
}

// `family`, parent and main branch belong to the family: they change with other branches.
function contentOf(id: number) {
  const { adventure, ...content } = dumpOf(reader, id)
  const {
    family: _,
    branched_from: __,
    branched_at: ___,
    main_branch: ____,
    branch_color: _____,
    ...own
  } = adventure?.[0] ?? {}
  return { ...content, own }
}

const OPERATIONS_OF_A_RUN = 15

test('no operation on one branch changes another, and every branch stays on the map', async () => {
  await fc.assert(
    fc.asyncProperty(operations, async (all) => {
      const first = (await server.post('/api/adventures', { scenario_id: scenario.id })).body.id as number
      let known = [first]
      for (const operation of all) {
        const on = known[operation.on % known.length] ?? first
        const others = known.filter((id) => id !== on)
        const before = others.map(contentOf)
        await run(on, operation, known.length)
        expect(others.map(contentOf)).toEqual(before)
        const branches = listBranches(reader, others[0] ?? on)
        known = branches.map(({ id }) => id)
        expect(lanesOf(branches)).toHaveLength(known.length)
        if (known.length > 1) expect(branches.filter((branch) => branch.main_branch)).toHaveLength(1)
      }
      for (const id of known) {
        expect((await server.get(`/api/adventures/${id}/audit`)).body).toMatchObject({
          ok: true,
          findings: [],
        })
        await server.send('DELETE', `/api/adventures/${id}`)
      }
    }),
    { numRuns: Math.ceil(depth('BRANCHES') / OPERATIONS_OF_A_RUN) },
  )
}, 3_600_000)

import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { sampled } from '../support/depth.ts'
import { startEndpoint, status } from '../support/endpoint/endpoint.ts'
import { difference, type WholeLibrary, wholeLibrary } from '../support/library/whole-library.ts'
import { fillShelf, OPERATIONS, type Operation, replyOf } from '../support/service/operations.ts'
import { startServer } from '../support/service/server.ts'
import { initOf } from '../support/service/service.ts'
import { dice } from '../support/stories/dice.ts'
import { temporaryFolder } from '../support/temporary.ts'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())

/** Reads the committed state, as a kill at this moment would leave it. */
class Onlooker {
  readonly states: WholeLibrary[] = []
  private version = -1
  private readonly db: Database

  constructor(private readonly path: string) {
    this.db = new Database(path, { readonly: true })
    this.look()
  }

  look(): void {
    const { data_version = 0 } =
      this.db.query<{ data_version: number }, []>('PRAGMA data_version').get() ?? {}
    if (data_version === this.version) return
    this.version = data_version
    const state = wholeLibrary(this.path)
    if (!Bun.deepEquals(state, this.states.at(-1))) this.states.push(state)
  }

  [Symbol.dispose](): void {
    this.db.close()
  }
}

/** How often an operation commits: once, except that each text is stored before the model is called for what follows. */
const commitsOf = ({ tells, drafts }: Operation) =>
  1 + (tells === 'a line' ? 1 : 0) + (drafts ? 1 : 0) + (tells ? 1 : 0)

describe('75 killed between any two statements', () => {
  for (const operation of sampled(OPERATIONS))
    test(`of ${operation.name}, all of it is stored or nothing`, async () => {
      const path = join(temporaryFolder(), 'library.db')
      const shelf = await fillShelf(path, endpoint, 1)
      let look = () => {}
      const server = await startServer({ dbPath: path, watch: () => look() })
      if (operation.name.includes('deleted')) await server.post(`/api/scenarios/${shelf.scenario}/duplicate`)
      if (operation.name.includes('deleted') || operation.name === 'another main branch')
        await server.post(`/api/adventures/${shelf.story}/copy`)
      if (operation.name === 'an update from the scenario')
        await server.send('PATCH', `/api/scenarios/${shelf.scenario}`, { memory: 'Salt.' })
      const ask = operation.ask({ ...shelf, reader: server.deps.library.reader }, dice(7))
      using onlooker = new Onlooker(path)
      look = () => onlooker.look()
      let asked = -1
      endpoint.byDefault(async (exchange) => {
        onlooker.look()
        asked = onlooker.states.length - 1
        await replyOf(-1)(exchange)
      })
      const answer = await server.ask(ask.path, initOf(ask))
      await answer.text()
      await server.deps.locks.freed(shelf.story)
      await server.deps.recordings.ended(shelf.story)
      onlooker.look()
      look = () => {}
      expect(answer.status).toBeLessThan(400)
      const steps = onlooker.states.slice(1).map((state, i) => difference(onlooker.states[i] ?? [], state))
      expect([steps.length, steps]).toEqual([commitsOf(operation), steps])
      const { actions } = (await server.get(`/api/adventures/${shelf.story}`)).body
      if (operation.tells)
        expect(actions.at(-1)).toMatchObject({ type: 'ai', text: expect.stringContaining('gale') })
      // Only texts are stored before the model is called: a retry has written nothing.
      if (operation.tells) expect(asked).toBe(commitsOf(operation) - 2)
    })

  test('of a failed retry or turn, only the line is stored', async () => {
    const path = join(temporaryFolder(), 'library.db')
    const { story } = await fillShelf(path, endpoint, 1)
    let look = () => {}
    const server = await startServer({ dbPath: path, watch: () => look() })
    using onlooker = new Onlooker(path)
    look = () => onlooker.look()
    endpoint.byDefault(status(400))
    for (const [operation, body, commits] of [
      ['retry', undefined, 0],
      ['actions', { type: 'continue' }, 0],
      ['actions', { type: 'do', text: 'wait' }, 1],
      ['retry', undefined, 0],
    ] as const) {
      const before = onlooker.states.length
      const ask = { method: 'POST', path: `/api/adventures/${story}/${operation}`, body }
      await (await server.ask(ask.path, initOf(ask))).text()
      onlooker.look()
      expect([operation, onlooker.states.length - before]).toEqual([operation, commits])
    }
    look = () => {}
  })
})

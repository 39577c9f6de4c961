import { expect, test } from 'bun:test'
import { pendingTexts, textVectors, upsertVector } from '../../../src/db/search/text-vectors.ts'
import { say } from '../../support/endpoint/endpoint.ts'
import { playTurn } from '../../support/service/events.ts'
import { startWithModel } from '../../support/service/with-model.ts'

const { endpoint, server } = await startWithModel({}, {})
const { library } = server.deps
const { reader } = library
let told = 0
endpoint.byDefault((exchange) => say(`Passage ${++told} of a lamp.`)(exchange))

interface ActionView {
  id: number
  index: number
  type: string
  text: string
}
const actionsOf = async (id: number): Promise<ActionView[]> =>
  (await server.get(`/api/adventures/${id}`)).body.actions

async function story(turns: number): Promise<number> {
  const { id } = (await server.post('/api/adventures', { title: 'Lantern Rock' })).body
  await server.send('PATCH', `/api/adventures/${id}`, { memory: 'A rock at sea.' })
  await server.post('/api/story-cards', { adventure_id: id, name: 'Lamp', keys: 'lamp', entry: 'It burns.' })
  for (let turn = 0; turn < turns; turn++)
    await playTurn(server, id, { type: 'do', text: `light lamp ${turn}` })
  return id
}

async function branch(id: number, index: number): Promise<number> {
  const action_id = (await actionsOf(id)).find((one) => one.index === index)?.id
  return (await server.post(`/api/adventures/${id}/family`, { action_id })).body.id
}

/** The prompts of the narrations of a story up to an index, as Insights shows them. */
async function promptsOf(id: number, last: number): Promise<unknown[]> {
  const narrations = (await actionsOf(id)).filter(({ type, index }) => type === 'ai' && index <= last)
  return Promise.all(
    narrations.map(
      async (one) => (await server.get(`/api/adventures/${id}/actions/${one.id}/context`)).body.messages,
    ),
  )
}

/** Characters of the stored texts: of stories alone, and of those that they share. */
const stored = () =>
  reader.get(`SELECT (SELECT sum(length(text)) FROM prompt_parts) AS own,
    (SELECT sum(length(text)) FROM shared_prompt_parts) AS shared`)

async function embed(id: number): Promise<void> {
  const { texts } = pendingTexts(reader, id, { model: 'm', before: Infinity, limit: 100 })
  library.write((tx) => {
    for (const [i, text] of texts.entries())
      upsertVector(tx, id, text, { model: 'm', vector: Float32Array.from([1, i / 10, 0.5]) })
  })
}

/** The vectors of a story's passages by index. */
async function vectorsOf(id: number): Promise<[number, number[]][]> {
  const vectors = textVectors.get(reader, id)
  return (await actionsOf(id)).flatMap(({ id: action, index }) => {
    const known = vectors.get(action)
    return known ? [[index, [...known.vector.values]] as [number, number[]]] : []
  })
}

test('branches share the texts of their prompts, have vectors of their own, and keep both without each other', async () => {
  const first = await story(3)
  await embed(first)
  const [prompts, vectors] = [await promptsOf(first, 6), await vectorsOf(first)]
  expect(vectors.map(([, values]) => values.length)).toEqual([0, 3, 3, 3, 3, 3, 3])
  const before = stored() as Record<string, number>
  const one = await branch(first, 6)
  const two = await branch(first, 4)
  expect(stored()).toEqual({ own: 0, shared: before.own ?? 0 })
  for (const id of [first, one]) {
    expect(await promptsOf(id, 6)).toEqual(prompts)
    expect(await vectorsOf(id)).toEqual(vectors)
  }
  expect(await promptsOf(two, 4)).toEqual(prompts.slice(0, 2))
  expect(await vectorsOf(two)).toEqual(vectors.slice(0, 5))

  await server.send('DELETE', `/api/adventures/${first}`)
  await server.post(`/api/adventures/${two}/undo`)
  await playTurn(server, two, { type: 'do', text: 'blow out the lamp' })
  expect(await promptsOf(one, 6)).toEqual(prompts)
  expect(await vectorsOf(one)).toEqual(vectors)
  expect(await promptsOf(two, 2)).toEqual(prompts.slice(0, 1))

  const [edited] = await actionsOf(one)
  await server.send('PATCH', `/api/adventures/${one}/actions/${edited?.id}`, { text: 'Another beginning.' })
  // The next passage was embedded behind the edited one.
  expect((await vectorsOf(one)).map(([index]) => index)).toEqual([2, 3, 4, 5, 6])
  expect((await vectorsOf(two)).map(([index]) => index)).toEqual([0, 1, 2])

  await server.send('DELETE', `/api/adventures/${one}`)
  await server.send('DELETE', `/api/adventures/${two}`)
  expect(stored()).toEqual({ own: null, shared: null })
})

test('what another program has deleted the last story of is deleted with the stored prompts', async () => {
  const first = await story(2)
  await branch(first, 2)
  library.write((tx) => tx.run('DELETE FROM adventures'))
  expect(stored()).not.toEqual({ own: null, shared: null })
  expect((await server.ask('/storage/forget-prompts', { method: 'POST' })).status).toBe(303)
  expect(stored()).toEqual({ own: null, shared: null })
})

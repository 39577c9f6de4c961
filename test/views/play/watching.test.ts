import { expect, test } from 'bun:test'
import { breakOff, type Step, say, sayInTime } from '../../support/endpoint/endpoint.ts'
import { WatchingPage } from '../../support/service/watching-page.ts'
import { startWithModel } from '../../support/service/with-model.ts'
import { dice, SEED } from '../../support/stories/dice.ts'

const { endpoint, server } = await startWithModel()
const { below, pick } = dice(SEED)

const WORDS = [
  'rain',
  '*lamp*',
  '**door**',
  'sea',
  '\n\n',
  '. “No.”',
  '\n\n> Wait.\n\n',
  ' -- ',
  '\n\n1. a\n2. b\n\n',
]

function reply(): Step {
  const text = `It ${Array.from({ length: 40 }, () => pick(WORDS)).join(' ')} ends.`
  const step = pick([say, breakOff, (said: string) => sayInTime(said, 2, { pieces: 20 })])
  return step(text)
}

async function act(id: number): Promise<void> {
  const form = (to: string, fields: Record<string, string>) =>
    server.ask(`/adventures/${id}/${to}`, { method: 'POST', body: new URLSearchParams(fields) })
  const { actions } = (await server.get(`/api/adventures/${id}`)).body
  const last = actions.at(-1)
  const edit = () =>
    server.send('PATCH', `/api/adventures/${id}/actions/${last.id}`, { text: `Edited ${below(99)}.` })
  await pick([
    () => form('turns', { type: 'do', text: `wait ${below(99)}` }),
    () => form('turns', { go_on: '1' }),
    () => form('turns', { retry: '1' }),
    () => form('undo', {}),
    edit,
  ])()
}

test(`a page shows what is stored after 200 disconnects at random, seed ${SEED}`, async () => {
  const { body } = await server.post('/api/adventures', { title: 'Watched' })
  endpoint.byDefault((exchange) => reply()(exchange))
  const page = await WatchingPage.open(server, body.id)
  for (let i = 0; i < 200; i++) {
    await act(body.id)
    await page.watch(() => false, below(60))
    if (i % 10 < 9) continue
    await server.deps.locks.freed(body.id)
    const stored = (await WatchingPage.open(server, body.id)).story.filter((one) => !one.startsWith('<nav'))
    const shown = () => page.story.filter((one) => !one.startsWith('<nav')).slice(-stored.length)
    await page.watch(() => shown().join() === stored.join(), 20_000)
    expect(shown()).toEqual(stored)
  }
})

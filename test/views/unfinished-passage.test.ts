import { expect, test } from 'bun:test'
import { say } from '../support/endpoint/endpoint.ts'
import { playTurn } from '../support/service/events.ts'
import { startWithModel } from '../support/service/with-model.ts'

const { endpoint, server } = await startWithModel()

const NOTE = 'This passage breaks off in mid-sentence.'

test('a newest passage that breaks off in mid-sentence says so, and can be continued', async () => {
  const { body: story } = await server.post('/api/adventures', { title: 'The pier' })
  const page = async (text: string, finish: 'stop' | 'length') => {
    endpoint.next(say(text, { finish }))
    await playTurn(server, story.id, { type: 'do', text: 'look around' })
    return (await server.ask(`/adventures/${story.id}`)).text()
  }
  const marks = (html: string) => html.match(/<div class="cut row">[\s\S]*?<\/div>/g) ?? []
  const unfinished = marks(await page('You see a lamp. Beneath it, a ferry with a', 'stop'))
  expect(unfinished).toHaveLength(1)
  expect(unfinished[0]).toContain(NOTE)
  expect(unfinished[0]).toContain('name="go_on"')
  expect(marks(await page('It rains.', 'stop'))).toEqual([])
  const cut = marks(await page('A bell rings twice. Somebody on the ferry', 'length'))
  expect(cut.map((mark) => mark.includes(NOTE))).toEqual([false])
})

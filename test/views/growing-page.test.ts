import { expect, test } from 'bun:test'
import { say } from '../support/endpoint/endpoint.ts'
import { startWithModel } from '../support/service/with-model.ts'

const { endpoint, server } = await startWithModel()

test('a passage that grows without script looks as it will when it is whole', async () => {
  const { body: story } = await server.post('/api/adventures', { title: 'The pier' })
  endpoint.next(
    say('# The pier\n\nYou see *light*:\n\n1. a lamp\n2. a **ferry**\n\n> Come in.\n\nIt rains -- hard.'),
  )
  const answer = await server.ask(`/adventures/${story.id}/turns`, {
    method: 'POST',
    body: new URLSearchParams({ type: 'do', text: 'look around' }),
  })
  const html = await answer.text()
  const blocks = (start: RegExp) => html.split(start)[1]?.split('</div>')[0]
  const grown = blocks(/<div class="prose streaming"[^>]*>/)
  expect(grown).toStartWith('<h3>The pier</h3><p>You see <em>light</em>:</p><ol start="1"><li>a lamp</li>')
  expect(grown).toBe(blocks(/<div class="prose"[^>]*>(?=<h3>)/))
})

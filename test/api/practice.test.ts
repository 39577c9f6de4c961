import { expect, test } from 'bun:test'
import { startServer } from '../support/service/server.ts'

const server = await startServer()
const ask = async (more: object) => {
  const messages = [{ role: 'user', content: '> You open the door.' }]
  const { body } = await server.post('/api/practice/v1/chat/completions', { messages, ...more })
  return body.choices[0].message.content
}
const edits = (title: string) => ({
  title,
  properties: {
    edits: {
      items: {
        properties: {
          because: { enum: ['You open the door.'] },
          changes: {
            items: { anyOf: [{ properties: { path: { const: 'flags.open' }, to: { const: true } } }] },
          },
        },
      },
    },
  },
})

test('a request with a schema is answered from the schema, any other with prose', async () => {
  const format = (schema: object) => ({
    response_format: { type: 'json_schema', json_schema: { name: 'reply', schema } },
  })
  const answers = new Set<string>()
  for (let i = 0; i < 20; i++) answers.add(await ask(format(edits(String(i)))))
  const change = { because: 'You open the door.', changes: [{ path: 'flags.open', to: true }] }
  expect([...answers].sort()).toEqual(
    [{ edits: [] }, { edits: [change] }].map((one) => JSON.stringify(one)).sort(),
  )
  expect(await ask(format({ type: 'object' }))).toBe('{}')
  expect(await ask({ response_format: { type: 'text' } })).toContain('open the door')
})

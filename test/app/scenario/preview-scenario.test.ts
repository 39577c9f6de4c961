import { expect, test } from 'bun:test'
import { createApp } from '../../../src/app/app.ts'
import { startServer } from '../../support/service/server.ts'
import { LANTERN_ROCK } from '../../support/stories/worlds.ts'

const server = await startServer()
const app = createApp(server.deps)

const PLAIN = { title: 'Plain', prompt: 'Rain falls on the road.' }
const FULL = {
  title: 'Lantern Rock',
  prompt: 'Dusk. ${Your name} climbs the stairs.',
  memory: '${Your name} keeps the lamp of ${Where}.',
  authors_note: 'Slow, for ${Your name}.',
  ai_instructions: 'Never name the sea.',
  stat_schema: LANTERN_ROCK,
}
const LAMP = { name: 'Lamp', keys: 'lamp, ${Where}', entry: 'It burns for ${Your name}.', type: 'thing' }

async function made(fields: object): Promise<number> {
  const { id } = (await server.post('/api/scenarios', fields)).body
  await server.post('/api/story-cards', { scenario_id: id, ...LAMP })
  return id
}

test.each([
  ['a plain scenario', PLAIN, {}],
  ['one with everything', FULL, { 'Your name': 'Tamsin', Where: 'Holm' }],
  ['one without an opening', { ...FULL, prompt: '' }, { 'Your name': 'Tamsin', Where: 'Holm' }],
  ['answers with an odd text', FULL, { 'Your name': '${Where}', Where: '$& <b>' }],
])('the preview of %s is the prompt that its story begins with', async (_, fields, placeholders) => {
  const id = await made(fields)
  const preview = app.previewScenario(id, { answers: placeholders, line: '' })
  const story = await server.post('/api/adventures', { scenario_id: id, placeholders })
  const prompt = app.nextPrompt(story.body.id)
  expect(preview.messages).toEqual(prompt.messages)
  expect(preview.tokens).toBe(prompt.tokens.total)
  expect(preview.opening).toBe((await server.get(`/api/adventures/${story.body.id}`)).body.actions[0].text)
})

test('a line triggers cards by their answered keys, and is in the prompt', async () => {
  const id = await made(FULL)
  const answers = { 'Your name': 'Tamsin', Where: 'Holm' }
  const { cards, messages } = app.previewScenario(id, { answers, line: 'Home to Holm.' })
  expect(cards.map(({ name, keyword }) => [name, keyword])).toEqual([['Lamp', 'Holm']])
  expect(messages.map(({ text }) => text).join('\n')).toContain('It burns for Tamsin.')
  expect(messages.at(-1)?.text).toContain('> Home to Holm.')
})

test('a blank answer is the name of its question in brackets', async () => {
  const id = await made(FULL)
  const { opening } = app.previewScenario(id, { answers: { 'Your name': ' ' }, line: '' })
  expect(opening).toBe('Dusk. [Your name] climbs the stairs.')
})

test.each(['constructor', 'toString', '__proto__'])(
  'a question called %s has no answer but a given one',
  async (name) => {
    const id = await made({ ...PLAIN, prompt: `\${${name}} waits.` })
    expect(app.previewScenario(id, { answers: {}, line: '' }).opening).toBe(`[${name}] waits.`)
  },
)

test('a scenario that is too long for the context says so', async () => {
  const id = await made({ ...PLAIN, memory: 'word '.repeat(3_000) })
  const small = { context_token_budget: 2_000, max_output_tokens: 200 }
  expect((await server.send('PUT', '/api/settings', small)).status).toBe(200)
  const { problem, messages } = app.previewScenario(id, { answers: {}, line: '' })
  expect([problem.includes('context size'), messages]).toEqual([true, []])
})

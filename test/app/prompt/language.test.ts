import { describe, expect, test } from 'bun:test'
import { isEnglishStory, languageToTell } from '../../../src/domain/text/language.ts'
import { say } from '../../support/endpoint/endpoint.ts'
import { playTurn, retryTurn } from '../../support/service/events.ts'
import { startWithModel } from '../../support/service/with-model.ts'

const GERMAN = `Der Regen hat aufgehört, und die Straße ist still. Du hörst die Glocke nicht, und das Licht im Turm ist aus.
Auf dem Platz sitzt ein Hund und wartet auf dich, wie er es an jedem Abend getan hat.`
const ENGLISH = `The rain has stopped, and the street is still. You do not hear the bell, and the light in the tower is out. On the
square a dog sits and waits for you, as it has done on every evening.`

describe('the prompt names a language', () => {
  const cases: [why: string, chosen: string, beginning: string, told: string][] = [
    ['that the story is in', '', GERMAN, 'de'],
    ['but not English', '', ENGLISH, ''],
    ['that was chosen', 'fr', ENGLISH, 'fr'],
    ['even English, if it was chosen', 'en', GERMAN, 'en'],
    ['by its script alone', '', '我打开了门，走进黑暗的走廊。', 'zh'],
    ['but none by a few words', '', 'Der Regen ist still.', ''],
    ['but none where the text does not tell', '', 'Lorem ipsum '.repeat(40), ''],
    ['but none in an empty story', '', '', ''],
  ]
  for (const [why, chosen, beginning, told] of cases)
    test(why, () => expect(languageToTell(chosen, beginning)).toBe(told))
})

describe('a story is in English', () => {
  const cases: [why: string, chosen: string, beginning: string, isEnglish: boolean][] = [
    ['by its beginning', '', ENGLISH, true],
    ['by choice', 'en-GB', GERMAN, true],
    ['while nothing says otherwise', '', 'Nimm Krug', true],
    ['with a name of another language', '', 'You wake up in the rue de la Paix.', true],
    ['with a word of another language', '', 'A quiet café.', true],
    ['but not with another beginning', '', GERMAN, false],
    ['with a short beginning in another language, which is not sure', '', 'Der Regen ist still.', true],
    ['with a short beginning in another script', '', '“Grüße”, 名古屋', true],
    ['but not in another script', '', 'توقف المطر. '.repeat(5), false],
    ['but not in a script that tells the language', '', '雨がやんだ。'.repeat(8), false],
    ['but not if another language is chosen', 'de', ENGLISH, false],
  ]
  for (const [why, chosen, beginning, isEnglish] of cases)
    test(why, () => expect(isEnglishStory(chosen, beginning)).toBe(isEnglish))
})

const { endpoint, server } = await startWithModel()

async function begin(opening: string): Promise<string> {
  const { body: scenario } = await server.post('/api/scenarios', { title: 'Der Turm', prompt: opening })
  return `/api/adventures/${(await server.post('/api/adventures', { scenario_id: scenario.id })).body.id}`
}

/** The system text of the request that a turn made. */
async function systemOf(play: () => Promise<unknown>, told = 'Und dann.'): Promise<string> {
  endpoint.next(say(told))
  await play()
  const body = endpoint.requests.at(-1)?.body as { messages: { role: string; content: string }[] } | undefined
  return body?.messages.find(({ role }) => role === 'system')?.content ?? ''
}

test('in the part of the prompt that stays the same, also in a retry', async () => {
  const story = await begin(GERMAN)
  const id = Number(story.split('/').at(-1))
  const first = await systemOf(() => playTurn(server, id, { type: 'do', text: 'warten' }), ENGLISH)
  expect(first).toContain('Write the story in German.')
  expect(await systemOf(() => retryTurn(server, id), ENGLISH)).toBe(first)
  expect(await systemOf(() => playTurn(server, id, { type: 'do', text: 'wait' }))).toBe(first)
})

test('and lines of the player get no English words', async () => {
  const linesOf = async (opening: string) => {
    const story = await begin(opening)
    const id = Number(story.split('/').at(-1))
    for (const turn of [
      { type: 'say', text: 'Guten Abend' },
      { type: 'do', text: 'nimm Krug' },
    ]) {
      endpoint.next(say('Und dann.'))
      await playTurn(server, id, turn)
    }
    const { body } = await server.get(`${story}/actions`)
    return body.actions
      .filter(({ type }: { type: string }) => type === 'say' || type === 'do')
      .map(({ text }: { text: string }) => text)
  }
  expect(await linesOf(GERMAN)).toEqual(['> "Guten Abend"', '> nimm Krug'])
  expect(await linesOf(ENGLISH)).toEqual(['> You say "Guten Abend."', '> You nimm Krug.'])
})

test('and a story in English has the prompt that it always had', async () => {
  const id = Number((await begin(ENGLISH)).split('/').at(-1))
  const system = await systemOf(() => playTurn(server, id, { type: 'do', text: 'wait' }))
  expect(system).not.toMatch(/Write the story in|language/i)
})

test('a language is chosen in the plot, and comes along into copies and files', async () => {
  const story = await begin(ENGLISH)
  const page = story.replace('/api', '')
  const form = new URLSearchParams({ language: 'it' })
  expect((await server.ask(page, { method: 'POST', body: form })).status).toBe(303)
  expect((await server.get(story)).body.language).toBe('it')
  const html = await (await server.ask(`${page}?panel=plot`)).text()
  expect(html).toContain('<option value="it" selected>Italian</option>')
  expect(html).toContain('<h1 dir="auto" lang="it">')
  expect(await (await server.ask('/')).text()).toContain('dir="auto" lang="it">Der Turm</a>')
  const { body: copy } = await server.post(`${story}/copy`, {})
  expect((await server.get(`/api/adventures/${copy.id}`)).body.language).toBe('it')
  const { body: file } = await server.get(`${story}/export?format=json`)
  expect(file.language).toBe('it')
  expect(await (await server.ask(`${story}/export?format=html`)).text()).toContain('<html lang="it">')
  await server.post('/api/import?apply=1', file)
  const languages = (await server.get('/api/adventures')).body.map(
    (one: { language: string }) => one.language,
  )
  expect(languages.filter((language: string) => language === 'it')).toHaveLength(3)
  expect((await server.send('PATCH', story, { language: 'not a tag' })).status).toBe(422)
  expect((await server.send('PATCH', story, { language: '' })).status).toBe(200)
})

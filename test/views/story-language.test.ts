import { expect, test } from 'bun:test'
import { languageOf } from '../../src/domain/text/language.ts'
import { gate, say, sayAround } from '../support/endpoint/endpoint.ts'
import { playTurn, retryTurn } from '../support/service/events.ts'
import { playForm, watched } from '../support/service/form-turn.ts'
import { startWithModel } from '../support/service/with-model.ts'

const { endpoint, server } = await startWithModel()

const GERMAN = 'Der Regen hat aufgehört, und die Straße ist still. Du hörst die Glocke nicht.'
const UNKNOWN = 'Lorem ipsum dolor sit amet.'
const page = async (path: string) => (await server.ask(path)).text()
/** The languages that blocks of prose and the title say they are in. */
const marked = (html: string) =>
  [...html.matchAll(/<(?:h1|div)\b[^>]* lang="([^"]*)"/g)].map(([, lang]) => lang)
const unmarked = (html: string) => html.match(/<(?:h1|div class="prose[^"]*")(?![^>]* lang=)[^>]*>/g) ?? []

async function begin(opening: string): Promise<number> {
  const { body: scenario } = await server.post('/api/scenarios', { title: 'Die Glocke', prompt: opening })
  return (await server.post('/api/adventures', { scenario_id: scenario.id })).body.id
}

test('the title and every passage of a story say which language they are in, with its marks or without', async () => {
  const id = await begin(GERMAN)
  endpoint.next(say(GERMAN), say(GERMAN))
  await playTurn(server, id, { type: 'do', text: 'warten' })
  await retryTurn(server, id)
  const [told] = (await server.get(`/api/adventures/${id}/actions`)).body.actions.slice(-1)
  for (const typography of [true, false]) {
    await server.send('PUT', '/api/preferences', { typography })
    for (const query of ['', `?panel=attempts&action=${told.id}`, `?edit=${told.id}`, `?at=${told.id}`]) {
      const html = await page(`/adventures/${id}${query}`)
      expect(unmarked(html)).toEqual([])
      expect(new Set(marked(html))).toEqual(new Set(['de']))
    }
  }
})

test('so does a passage that is being written', async () => {
  const id = await begin(GERMAN)
  const rest = gate()
  endpoint.next(sayAround(GERMAN, rest, 'Ende.'))
  await server.ask(`/adventures/${id}/turns`, {
    method: 'POST',
    body: new URLSearchParams({ type: 'do', text: 'warten' }),
  })
  for (const html of [
    await watched(server, id, 'class="prose streaming"'),
    await page(`/adventures/${id}`),
  ]) {
    expect(html).toMatch(/class="prose streaming" dir="auto" lang="de"/)
    expect(unmarked(html)).toEqual([])
    expect(new Set(marked(html))).toEqual(new Set(['de']))
  }
  rest.open()
  await server.deps.locks.freed(id)
})

test('where a language is not known, that of the page is not taken for it', async () => {
  expect(languageOf(UNKNOWN)).toBe('und')
  const html = await page(`/adventures/${await begin(UNKNOWN)}`)
  expect(unmarked(html)).toEqual([])
  expect(new Set(marked(html))).toEqual(new Set(['']))
})

test('what a search finds of a story says the language that was chosen for it', async () => {
  const id = await begin('Kurz: Zwölf Glocken.')
  await server.send('PATCH', `/api/adventures/${id}`, { language: 'de-CH' })
  const found = await page('/search?q=zw%C3%B6lf&kind=action')
  expect(found).toMatch(/<a class="way" [^>]*lang="de-CH">\s*Die Glocke/)
  expect(found).toMatch(/<p class="snippet" [^>]*lang="de-CH">/)
})

test('a story too short to detect its language has typographic marks, also while its first passage streams', async () => {
  await server.send('PUT', '/api/preferences', { typography: true })
  const id = await begin('Dusk. "Rain?"')
  endpoint.next(say('"Me," she says.'))
  const { page: html } = await playForm(server, id, { type: 'do', text: 'wait' })
  expect(html).toContain('“Rain?”')
  expect(html).toContain('“Me,”')
  const short = await begin('Dusk. "Rain?"')
  for (const [typography, words] of [
    [true, 'Dusk. “Rain?”'],
    [false, 'Dusk. "Rain?"'],
  ] as const) {
    await server.send('PUT', '/api/preferences', { typography })
    const file = (format: string) => page(`/api/adventures/${short}/export?format=${format}`)
    expect(await file('html')).toContain('<html lang="und">')
    for (const html of [await file('html'), await page(`/adventures/${short}`)])
      expect(html.replaceAll('&quot;', '"')).toContain(words)
    expect(await file('markdown')).toContain('Dusk. "Rain?"')
  }
})

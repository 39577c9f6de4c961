import { afterAll, expect, test } from 'bun:test'
import { fillLibraries, SCREENS } from '../support/browser/screens.ts'
import { startEndpoint } from '../support/endpoint/endpoint.ts'
import { startServer } from '../support/service/server.ts'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())

/** Fields of text, and what shows text of a story or of its author. */
const FIELD = /<textarea\b[^>]*>|<input\b(?![^>]*type="(?!text|search|url))[^>]*>/g
const SHOWN = /<(?:h1|p|div)\b[^>]*class="(?:prose|snippet|whole|diff)\b[^>]*>/g
/** JSON is written from left to right in every language. */
const CODE = 'class="code"'

test('every passage, snippet and text field takes its direction from its own letters, and no field is translated', async () => {
  const [server, bare] = await Promise.all([startServer(), startServer()])
  const shown = await fillLibraries(server, bare, endpoint)
  const wrong: string[] = []
  const translated: string[] = []
  let fields = 0
  for (const { path } of Object.values(SCREENS).flatMap((screens) => screens(shown))) {
    const html = await (await server.ask(path)).text()
    const typed = html.match(FIELD) ?? []
    const found = [...typed, ...(html.match(SHOWN) ?? [])]
    fields += found.length
    wrong.push(...found.filter((tag) => !tag.includes('dir="auto"') && !tag.includes(CODE)))
    translated.push(...typed.filter((tag) => !tag.includes('translate="no"')))
  }
  expect(wrong).toEqual([])
  expect(translated).toEqual([])
  expect(fields).toBeGreaterThan(200)
})

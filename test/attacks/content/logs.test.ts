import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { errorTrace } from '../../../src/lib/print.ts'
import {
  editsAbout,
  failInStream,
  raw,
  recorded,
  type Step,
  say,
  sayAndRecord,
  startEndpoint,
  status,
  thinkThenSay,
} from '../../support/endpoint/endpoint.ts'
import { dataUri, png } from '../../support/files/pictures.ts'
import { addressOf, outputOf, spawnService } from '../../support/service/process.ts'
import { temporaryFolder } from '../../support/temporary.ts'

// A marker word in every field: where it appears, story text appears.
const CANARY = 'qvxcanary'
const of = (field: string) => `${CANARY} ${field}`

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())

/** The service as used by a player and a script, with every error response. */
async function open(env: Record<string, string>) {
  const child = spawnService(env)
  const address = await addressOf(child)
  const refusals: string[] = []
  const ask = async (method: string, path: string, init: RequestInit = {}) => {
    const response = await fetch(new URL(path, address), { method, redirect: 'manual', ...init })
    const text = response.headers.get('content-type')?.includes('image') ? '' : await response.text()
    const errorLine = text.split('\n').find((line) => line.startsWith('data: {"type":"error"'))
    if (response.status >= 400 || errorLine)
      refusals.push(`${method} ${path} ${response.status} ${errorLine ?? text}`)
    return { status: response.status, text }
  }
  const json = async (method: string, path: string, body?: unknown) => {
    const init = { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
    const { text } = await ask(method, path, body === undefined ? {} : init)
    // biome-ignore lint/suspicious/noExplicitAny: parsed response
    return (text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : null) as any
  }
  const form = (path: string, fields: Record<string, string>, more: Record<string, string> = {}) =>
    ask('POST', path, { body: new URLSearchParams(fields), headers: more })
  return { child, refusals, ask, json, form }
}

type Service = Awaited<ReturnType<typeof open>>

const CHANGES = { 'player.qvxcanary_warmth': -1, 'player.qvxcanary_unknown': 3 }
const SCHEMA = {
  player: { qvxcanary_warmth: { initial: 9, min: 0, label: of('label'), description: of('description') } },
  flags: { qvxcanary_flag: { initial: false, description: of('flag') } },
}

/** Every text field, filled with the marker word. */
async function fillLibraries({
  json,
  form,
}: Service): Promise<{ scenario: number; story: string; card: number; memory: number }> {
  await json('PUT', '/api/settings', {
    endpoint_url: endpoint.url,
    model: 'test-model',
    narrator_prompt: of('narrator'),
  })
  const texts = ['title', 'description', 'prompt', 'memory', 'authors_note', 'ai_instructions', 'tags']
  const scenario = await json('POST', '/api/scenarios', {
    ...Object.fromEntries(texts.map((name) => [name, of(name)])),
    prompt: `\${${CANARY} name} waits.`,
    image: dataUri(png()),
    stat_schema: SCHEMA,
  })
  const card = await json('POST', '/api/story-cards', {
    scenario_id: scenario.id,
    ...Object.fromEntries(['type', 'name', 'keys', 'entry', 'notes'].map((name) => [name, of(name)])),
  })
  const { id } = await json('POST', '/api/adventures', {
    scenario_id: scenario.id,
    placeholders: { [`${CANARY} name`]: of('answer') },
  })
  const story = `/api/adventures/${id}`
  await json('PATCH', story, { title: of('story'), memory: of('plot'), story_summary: of('summary') })
  const memory = await json('POST', `${story}/memories`, { text: of('remembered') })
  await form(`/adventures/${id}/draft`, { type: 'say', text: of('draft') })
  return { scenario: scenario.id, story, card: card.id, memory: memory.id }
}

const PAGES = ['', '?panel=plot', '?panel=memory', '?edit=2', '?at=3', '?world=edit']

/** Requests everything that can be read. */
async function readAll({ ask }: Service, scenario: number, story: string): Promise<void> {
  const page = story.replace('/api', '')
  for (const path of [
    '/',
    '/scenarios',
    '/adventures',
    '/settings',
    `/search?q=${CANARY}`,
    `/scenarios/${scenario}`,
    `/scenarios/${scenario}/edit?tab=stats`,
    ...PAGES.map((query) => page + query),
    `${page}/insights`,
    `${page}/insights?turn=3`,
    `${page}/refresh`,
    '/api/settings',
    '/api/settings/models',
    '/api/settings/privacy',
    '/api/scenarios',
    '/api/adventures',
    `/api/search?q=${CANARY}`,
    `/api/scenarios/${scenario}`,
    `/api/scenarios/${scenario}/image`,
    `/api/scenarios/${scenario}/export`,
    `/api/scenarios/${scenario}/export?format=png`,
    `/api/story-cards?scenario_id=${scenario}`,
    `/api/story-cards/export?scenario_id=${scenario}`,
    story,
    ...[
      'world-state',
      'insights',
      'audit',
      'context',
      'actions',
      'memories',
      'refresh',
      'placeholders',
      'actions/2/variants',
      'actions/3/context',
      'actions/3/variants',
    ].map((part) => `${story}/${part}`),
    ...['json', 'markdown', 'html', 'epub', 'jsonl', 'legacy'].map(
      (format) => `${story}/export?format=${format}`,
    ),
  ])
    await ask('GET', path, { headers: { Accept: 'text/html' } })
}

/** Successful turns, and one for each way in which a model can fail. */
async function playAll({ json, ask, form }: Service, story: string): Promise<void> {
  const page = story.replace('/api', '')
  const steps: Step[] = [
    sayAndRecord(of('narration'), CHANGES),
    recorded(thinkThenSay(of('thought'), of('narration')), say(editsAbout(of('narration'), CHANGES))),
    recorded(say(of('prose')), say(`{"edits": [{"path": ${CANARY}`)),
    say(of('prose')),
    status(500, of('server fault')),
    failInStream({ message: of('fault in the stream') }, of('half')),
    raw(200, `{"choices": [{"${CANARY}`, { 'content-type': 'application/json' }),
    raw(200, `data: {"choices": [{"delta": {"content": "${CANARY}\n\n`),
    ({ response }) => void response.socket?.end(`${CANARY}\r\n\r\n`),
  ]
  for (const step of steps) {
    endpoint.next(step)
    await json('POST', `${story}/actions`, { type: 'say', text: of('line') })
  }
  endpoint.next(sayAndRecord(of('another'), CHANGES))
  await json('POST', `${story}/retry`)
  await form(`${page}/turns`, { type: 'do', text: of('typed') })
  const { actions } = await json('GET', story)
  const last = actions.at(-1).id
  await json('PATCH', `${story}/actions/${last}`, { text: of('edited') })
  await json('POST', `${story}/actions/${last}/variant`, { index: 0 })
  await json('PUT', `${story}/world-state`, { 'player.qvxcanary_warmth': 3, qvxcanary: of('value') })
  await ask('POST', `${story}/undo`)
}

/** Every kind of error, each with the marker word in the request. */
async function failAll(
  { json, ask, form }: Service,
  { scenario, story, card, memory }: Awaited<ReturnType<typeof fillLibraries>>,
): Promise<void> {
  const page = story.replace('/api', '')
  const long = of('x').repeat(30_000)
  const wrong: [method: string, path: string, body: unknown][] = [
    ['POST', `${story}/actions`, { type: of('type'), text: of('line') }],
    ['POST', `${story}/actions`, { type: 'do', text: [of('line')] }],
    ['POST', `${story}/actions`, { type: 'do', text: long }],
    ['PATCH', story, { title: long, memory: 7, [CANARY]: 1 }],
    ['PATCH', story, { auto_summarize: of('yes') }],
    [
      'PATCH',
      `/api/scenarios/${scenario}`,
      { title: [of('title')], image: `https://${CANARY}.example/a.png` },
    ],
    ['PATCH', `/api/scenarios/${scenario}`, { image: `data:image/png;base64,${btoa(of('picture'))}` }],
    ['PATCH', `/api/scenarios/${scenario}`, { stat_schema: of('schema') }],
    ['PATCH', `/api/story-cards/${card}`, { keys: null, name: { a: of('name') } }],
    ['POST', '/api/story-cards', { name: of('card') }],
    ['PATCH', `${story}/memories/${memory}`, { text: long }],
    ['POST', '/api/adventures', { scenario_id: 99, placeholders: { a: of('answer') } }],
    ['POST', '/api/adventures', { scenario_id: of('scenario') }],
    ['PUT', `${story}/placeholders`, { placeholders: { a: [of('answer')] } }],
    ['POST', `${story}/refresh`, { skip: of('skip') }],
    ['POST', `${story}/copy`, { up_to: of('place') }],
    ['POST', `${story}/actions/1/variant`, { index: of('index') }],
    ['PUT', '/api/settings', { temperature: of('hot'), narrator_prompt: [of('prompt')] }],
    ['POST', '/api/import?apply=1', { [CANARY]: of('nothing known') }],
    ['POST', '/api/scenarios/import', { format: 'another-v9', title: of('title') }],
    ['POST', '/api/practice/v1/chat/completions', { messages: [of('message')] }],
    [
      'POST',
      '/api/practice/v1/chat/completions',
      { messages: [{ role: of('role'), content: of('content') }] },
    ],
  ]
  for (const [method, path, body] of wrong) await json(method, path, body)
  const texts = [
    `{"title": "${CANARY}`,
    `{"title": ${CANARY}}`,
    `["${CANARY}"]`,
    `"${CANARY}\\ud800"`,
    CANARY,
  ]
  for (const body of texts)
    for (const path of [
      '/api/adventures',
      '/api/import',
      '/api/story-cards/import',
      '/api/adventures/import',
    ])
      await ask('POST', path, { body, headers: { 'Content-Type': 'application/json' } })
  await ask('POST', '/api/adventures', {
    body: Buffer.from([...Buffer.from(CANARY), 0xff]),
    headers: { 'Content-Type': 'application/json' },
  })
  await ask('POST', '/api/adventures', { body: CANARY, headers: { 'Content-Type': 'text/plain' } })
  await ask('POST', page, {
    body: `--x\r\n${CANARY}`,
    headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
  })
  const upload = new FormData()
  upload.set('file', new File([`{"${CANARY}": `], `${CANARY}.json`))
  await ask('POST', '/import', { body: upload })
  for (const more of [{}, { 'HX-Request': 'true' }]) {
    await form(page, { memory: long }, more)
    await form(`${page}/turns`, { type: 'do', text: long }, more)
    await form(`${page}/edit`, { action: '99', text: of('edit') }, more)
    await form(`/scenarios/${scenario}`, { title: long }, more)
    await form(`/scenarios/${scenario}/stats`, { do: 'json', json: `{"${CANARY}": ` }, more)
    await form('/settings', { api_mode: CANARY, narrator_prompt: of('narrator') }, more)
    await form('/settings/test', { endpoint_url: 'http://203.0.113.1/v1', model: 'test-model' }, more)
    await form('/adventures', { scenario_id: String(scenario) }, more)
  }
  for (const path of [
    `/api/${CANARY}`,
    `/api/scenarios/${CANARY}`,
    `/api/search?q=a&kind=${CANARY}`,
    `${story}/export?format=${CANARY}`,
    `/public/${CANARY}`,
  ])
    await ask('GET', path)
}

/** Replaces all JSON in the library with invalid JSON that contains the marker word. */
function damage(path: string): void {
  using db = new Database(path)
  for (const column of [
    'adventures.world_state',
    'adventures.stat_schema',
    'adventures.placeholders',
    'scenarios.stat_schema',
    'scenarios.image',
    'actions.variants',
    'actions.world_delta',
    'actions.world_state_before',
    'actions.prompt_notes',
    'actions.context_snapshot',
    'actions.type',
    'settings.api_mode',
    'settings.temperature',
    'adventures.updated_at',
  ]) {
    const [table, name] = column.split('.')
    db.run(`UPDATE ${table} SET ${name} = ?`, [`{${CANARY}: ]`])
  }
  db.run('UPDATE adventures SET title = ?, memory = ?', [of('x').repeat(100), of('x').repeat(9_000)])
}

const ELSEWHERE = [
  join(import.meta.dir, '../../..'),
  homedir(),
  'node_modules',
  '/src/',
  '.ts:',
  '.tsx:',
  'file://',
  '    at ',
]

function expectNothingTold(refusals: string[], folder: string): void {
  for (const place of [...ELSEWHERE, folder])
    expect([place, refusals.filter((refusal) => refusal.includes(place))]).toEqual([place, []])
}

test('79 a whole session leaves no story text in the log, and no error reveals the machine', async () => {
  const folder = temporaryFolder()
  const env = { APP_DB_PATH: join(folder, 'library.db'), HOME: homedir() }
  const service = await open(env)
  const made = await fillLibraries(service)
  await playAll(service, made.story)
  await readAll(service, made.scenario, made.story)
  await failAll(service, made)
  const output = await outputOf(service.child)
  expect(service.refusals.length).toBeGreaterThan(60)
  expect(service.refusals.filter((refusal) => /^\w+ \S+ 5\d\d /.test(refusal))).toEqual([])
  expectNothingTold(service.refusals, folder)
  // API errors quote nothing of the request but the names of unknown keys; messages of a model server are quoted too.
  const quoting = service.refusals.filter(
    (refusal) => /^\w+ \/api/.test(refusal) && refusal.slice(refusal.indexOf('{')).includes(CANARY),
  )
  const allowed = /"code":"provider_error"|"message":"Unknown field"/
  expect(quoting.filter((refusal) => !allowed.test(refusal))).toEqual([])
  expect(output).toBe('')

  damage(env.APP_DB_PATH)
  const again = await open(env)
  await readAll(again, made.scenario, made.story)
  await playAll(again, made.story)
  await failAll(again, made)
  const complaints = await outputOf(again.child)
  expectNothingTold(again.refusals, folder)
  // Cells that cannot be read are no errors, and nothing tells what they hold.
  expect(complaints).toBe('')
})

test('79 an error that quotes its input is logged without it', () => {
  for (const text of [CANARY, `[${CANARY}]`, `{"a": ${CANARY}}`])
    try {
      JSON.parse(text)
    } catch (error) {
      expect(errorTrace(error)).toMatch(/^SyntaxError[\s\S]*logs\.test\.ts/)
      expect(errorTrace(error)).not.toContain(CANARY)
    }
  expect(errorTrace(of('thrown'))).not.toContain(CANARY)
  expect(errorTrace(new Error('The library has no settings.'))).toContain('The library has no settings.')
})

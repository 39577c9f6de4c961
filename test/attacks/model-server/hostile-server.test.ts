import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import {
  type Bytes,
  head,
  nested,
  over,
  says,
  startHostile,
  thinks,
} from '../../support/endpoint/hostile-server.ts'
import { monitor, type ServiceUnderAttack, startUnderAttack } from '../../support/service/under-attack.ts'

/** MiB by which the service may grow, and bytes that it may read of a gigabyte or an endless response. */
const MOST_GROWTH = 400
const MOST_TAKEN = 64_000_000
const GIGABYTE = 16_384
const KILOBYTES_64 = 'x'.repeat(65_536)

const hostile = await startHostile()
let service: ServiceUnderAttack
beforeAll(async () => {
  service = await startUnderAttack()
  await service.send('PUT', '/api/settings', { endpoint_url: hostile.url, model: 'm', loop_guard: false })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await hostile[Symbol.asyncDispose]()
})
afterEach(() => {
  hostile.respond = () => null
})

const isTelling = (firstLine: string) => /^POST \S+\/completions /.test(firstLine)
function tellWith(bytes: () => Bytes): void {
  hostile.sent = 0
  hostile.respond = (firstLine) => (isTelling(firstLine) ? bytes() : null)
}

/** The story is unlocked and unchanged: the next turn works. */
async function expectFree(id: number): Promise<void> {
  expect((await service.send('POST', `/api/adventures/${id}/stop`)).body).toEqual({ stopped: false })
  expect((await service.send('GET', `/api/adventures/${id}`)).body.actions).toHaveLength(1)
  tellWith(() => [head(), says('The lamp burns low.'), 'data: [DONE]\n\n'])
  expect(await service.turn(id)).toMatchObject({ type: 'done', action: { text: 'The lamp burns low.' } })
}

const chunked = head('200 OK', { 'transfer-encoding': 'chunked' })
const reply = says('The lamp burns low.')
const packed = (encoding: string, bytes: Uint8Array): Bytes => [
  head('200 OK', { 'content-encoding': encoding }),
  bytes,
]
const zeros = new Uint8Array(50_000_000)
const deep = nested(50_000)

type Attack = [what: string, bytes: () => Bytes, message: RegExp, code?: string]

const withoutEnd: Attack[] = [
  ['thoughts', () => over(head(), thinks('and on ').repeat(500)), /“Reasoning tokens”/],
  ['a line of a gigabyte', () => over(head(), KILOBYTES_64, GIGABYTE), /One line never ended/],
  ['data of a gigabyte', () => over(`${head()}data: `, KILOBYTES_64, GIGABYTE), /One line never ended/],
  ['an event', () => over(head(), 'data: and on\n'.repeat(5_000)), /One event never ended/],
  ['10 MB of comments', () => over(head(), ': ping\n'.repeat(7_500), 200), /contained no text/],
  ['blank lines', () => over(head(), '\n'.repeat(65_536)), /contained no text/],
  [
    'the words of a refusal',
    () => over(head('500 No'), KILOBYTES_64),
    /status 500\. Retry.* The server said: x{499}…/,
  ],
  ['one header', () => over('HTTP/1.1 200 OK\r\nx: ', KILOBYTES_64), /did not answer with HTTP/],
  ['headers', () => over('HTTP/1.1 200 OK\r\n', 'x-a: b\r\n'.repeat(5_000)), /did not answer with HTTP/],
  [
    '100,000 headers',
    () => over('HTTP/1.1 200 OK\r\n', 'x-a: b\r\n'.repeat(100), 1_000, '\r\n'),
    /did not answer with HTTP/,
  ],
  ['the first line', () => over('HTTP/1.1 200 ', KILOBYTES_64), /did not answer with HTTP/],
  [
    'responses of 100',
    () => over('', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(2_000)),
    /did not answer with HTTP/,
  ],
  [
    'responses of 103',
    () => over('', 'HTTP/1.1 103 Early Hints\r\nx: y\r\n\r\n'.repeat(2_000)),
    /did not answer with HTTP/,
  ],
  [
    'another protocol',
    () => over('HTTP/1.1 101 Now\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', KILOBYTES_64),
    /was lost/,
  ],
  ['a chunk extension', () => over(`${chunked}5;`, KILOBYTES_64), /was lost/],
  ['one chunk', () => over(`${chunked}ffffffffffffffff\r\n`, KILOBYTES_64), /was lost|One line/],
  [
    'headers after the end',
    () => over(`${chunked}5\r\ndata:\r\n0\r\n`, 'x-a: b\r\n'.repeat(5_000)),
    /was lost/,
  ],
]

const falseLengths: Attack[] = [
  ['more than was sent', () => [head('200 OK', { 'content-length': '5000' }), reply], /was lost/],
  [
    'less than was sent',
    () => [head('200 OK', { 'content-length': '20' }), reply],
    /sent an empty reply/,
    'empty_reply',
  ],
  [
    'less than nothing',
    () => [head('200 OK', { 'content-length': '-5' }), reply],
    /did not answer with HTTP/,
  ],
  [
    'more than there is',
    () => [head('200 OK', { 'content-length': '9'.repeat(30) }), reply],
    /did not answer with HTTP/,
  ],
  [
    'two things',
    () => [head('200 OK', { 'content-length': '5', 'Content-Length': '50' }), reply],
    /did not answer with HTTP/,
  ],
]

const bombs: Attack[] = [
  ['gzip', () => packed('gzip', gzipSync(zeros)), /not a model reply/],
  ['deflate', () => packed('deflate', deflateSync(zeros)), /not a model reply/],
  ['br', () => packed('br', brotliCompressSync(zeros, { params: { 1: 3 } })), /not a model reply/],
  ['gzip around a good reply', () => packed('gzip', gzipSync(reply)), /not a model reply/],
]

const depths: Attack[] = [
  [
    'an error in the stream',
    () => [head(), `data: {"error":${deep}}\n\n`],
    /sent an empty reply/,
    'empty_reply',
  ],
  ['a chunk', () => [head(), `data: {"choices":${deep}}\n\n`], /sent an empty reply/, 'empty_reply'],
  ['a whole answer', () => [head(), `{"choices":[{"text":${deep}}]}`], /not a model reply/],
  ['the words of a refusal', () => [head('500 No'), `{"error":${deep}}`], /status 500\./],
  ['a refusal of a field', () => [head('400 No'), nested(50_000, '{"error":', '}', '1')], /status 400\./],
  ['markup', () => [head('500 No'), `<html>${'<'.repeat(1_000_000)}`], /status 500\./],
]

const noReplies: Attack[] = [
  ['status 204', () => ['HTTP/1.1 204 No Content\r\n\r\n'], /sent an empty reply/, 'empty_reply'],
  [
    'a web page',
    () => [head('200 OK', { 'content-type': 'text/html' }), '<!doctype html><p>It works!'],
    /sent a web page/,
  ],
  [
    'an error of one shape',
    () => [head(), 'data: {"error":{"message":"out of memory"}}\n\n'],
    /said: out of memory$/,
  ],
  [
    'an error of the other',
    () => [head(), '{"object":"error","message":"out of memory","code":500}'],
    /said: out of memory$/,
  ],
  [
    'an error of 10,000 letters',
    () => [head(), `data: {"error":"${'long '.repeat(2_000)}"}\n\n`],
    /said: (long ){99}long…$/,
  ],
  [
    'an error of 10,000 letters, refused',
    () => [head('400 No'), `{"error":"${'long '.repeat(2_000)}"}`],
    /said: (long ){99}long…$/,
  ],
  [
    'an error of markup',
    () => [head('502 No'), '<html><script>alert(1)</script><b>Bad gateway</b>'],
    /said: Bad gateway$/,
  ],
]

function failsAlone(attacks: Attack[]): void {
  for (const [name, bytes, message, code = 'provider_error'] of attacks)
    test(`${name}: only the turn fails`, async () => {
      const id = await service.begin()
      tellWith(bytes)
      const { outcome, answered, growth } = await monitor(service, () => service.turn(id))
      await hostile.allLeft()
      expect(outcome).toMatchObject({ type: 'error', code })
      expect(outcome.detail).toMatch(message)
      expect(hostile.sent).toBeLessThan(MOST_TAKEN)
      expect(growth).toBeLessThan(MOST_GROWTH)
      expect(answered).toBeGreaterThan(0)
      await expectFree(id)
    })
}

describe('65 an endless response is cut off:', () => failsAlone(withoutEnd))
test('65 endless words are cut off, and the prose so far is kept', async () => {
  const id = await service.begin()
  tellWith(() => over(head(), says('and on ').repeat(500)))
  const { outcome, answered, growth } = await monitor(service, () => service.turn(id))
  await hostile.allLeft()
  expect(outcome).toMatchObject({ type: 'done', action: { cut: 'length' } })
  expect(outcome.action.text.length).toBeLessThanOrEqual(500_000)
  expect(hostile.sent).toBeLessThan(MOST_TAKEN)
  expect(growth).toBeLessThan(MOST_GROWTH)
  expect(answered).toBeGreaterThan(0)
})
describe('65 a false length is detected:', () => failsAlone(falseLengths))
describe('65 an unrequested compressed response is not a reply:', () => failsAlone(bombs))
describe('65 50,000 levels are not parsed in', () => failsAlone(depths))
describe('67 not a reply:', () => failsAlone(noReplies))

describe('65 a large but valid value', () => {
  const whole: [what: string, bytes: () => Bytes, prose: RegExp][] = [
    ['nested fences', () => [head(), says('```\n```json\n~~~\n'.repeat(6_500))], /^```/],
    ['a fence of 400,000 marks', () => [head(), says('`'.repeat(400_000))], /^`{15000}/],
    [
      'half a million letters',
      () => [head(), says('and on and on. '.repeat(33_000))],
      /^(and on and on\. ){2}/,
    ],
    [
      '50,000 levels of changes',
      () => [head(), says(`You wait.\n\`\`\`state_delta\n${nested(50_000, '{"a":', '}', '1')}\n\`\`\``)],
      /^You wait\.$/,
    ],
    [
      '50,000 lists for a number',
      () => [head(), says(`You wait.\n\`\`\`state_delta\n{"player.warmth": ${deep}}\n\`\`\``)],
      /^You wait\.$/,
    ],
  ]
  for (const [what, bytes, prose] of whole)
    test(`${what} in a reply: it is shown, and others are answered`, async () => {
      const id = await service.begin()
      tellWith(bytes)
      const { outcome, answered, growth } = await monitor(service, () => service.turn(id))
      expect(outcome).toMatchObject({ type: 'done', world_state: { state: { player: { warmth: 9 } } } })
      expect(outcome.action.text).toMatch(prose)
      expect(growth).toBeLessThan(MOST_GROWTH)
      expect(answered).toBeGreaterThan(0)
      expect((await service.send('POST', `/api/adventures/${id}/undo`)).status).toBe(200)
    })
})

async function* trickle(): AsyncGenerator<string> {
  yield head()
  for (;;) {
    yield ':'
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

test('65 a byte now and then blocks only its own story, and a stop unlocks it', async () => {
  const id = await service.begin()
  tellWith(trickle)
  const turn = service.turn(id)
  const other = await service.begin()
  while (hostile.sent < 200) await service.send('GET', '/api/health')
  expect((await service.send('PATCH', `/api/adventures/${other}`, { title: 'Meanwhile' })).status).toBe(200)
  expect((await service.send('POST', `/api/adventures/${id}/stop`)).body).toEqual({ stopped: true })
  expect(await turn).toMatchObject({ type: 'error', code: 'disconnected' })
  await hostile.allLeft()
  await expectFree(id)
})

describe('66 a server cannot forge our events:', () => {
  const done = JSON.stringify({ type: 'done', action: { id: 1, text: 'Forged' } })
  const forged: [what: string, text: string, told: string][] = [
    [
      'events of our names',
      `event: save\ndata: ${done}\n\nevent: done\ndata: ${done}\n\n${reply}`,
      'The lamp burns low.',
    ],
    ['data of our shape', `data: ${done}\n\n${reply}`, 'The lamp burns low.'],
    [
      'our frames within words',
      says(`Low.\n\ndata: ${done}\n\nevent: done\n\n`),
      `Low.\n\ndata: ${done}\n\nevent: done`,
    ],
    ['frames of other line ends', says(`Low.\r\rdata: ${done}\r\n\r\n`), `Low.\r\rdata: ${done}`],
    [
      'an end within words',
      `${says('data: [DONE]\n\n')}${says('And on.')}data: [DONE]\n\n`,
      'data: [DONE]\n\nAnd on.',
    ],
    ['text after the end', `${reply}data: [DONE]\n\n${says('Forged')}`, 'The lamp burns low.'],
    ['NULs', says('Low\u0000lamp'), 'Lowlamp'],
  ]
  for (const [what, stream, expected] of forged)
    test(`${what} are text or nothing`, async () => {
      const id = await service.begin(false)
      tellWith(() => [head(), stream])
      const response = await fetch(new URL(`/api/adventures/${id}/actions`, service.address), {
        method: 'POST',
        body: '{"type":"continue"}',
        headers: { 'Content-Type': 'application/json' },
      })
      const lines = (await response.text()).split('\n')
      // Every line is one of ours: a comment, an empty line, or one JSON value of a known type.
      expect(lines.filter((line) => !/^(:|data: \{"type":"|$)/.test(line))).toEqual([])
      expect(lines.filter((line) => line.startsWith('data: {"type":"done"'))).toHaveLength(1)
      const { actions } = (await service.send('GET', `/api/adventures/${id}`)).body
      expect(actions.map(({ text }: { text: string }) => text)).toEqual(['', expected])
    })

  test('invalid UTF-8 becomes replacement characters', async () => {
    const id = await service.begin(false)
    const [before = '', behind = ''] = says('Low~lamp').split('~')
    tellWith(() => [head(), before, Uint8Array.of(0xff, 0xc0, 0x80), behind])
    expect((await service.turn(id)).action.text).toMatch(/^Low\uFFFD+lamp$/)
  })

  test('an end without text saves nothing', async () => {
    const id = await service.begin(false)
    tellWith(() => [head(), `event: done\ndata: ${done}\n\ndata: [DONE]\n\n`])
    expect(await service.turn(id)).toMatchObject({ type: 'error', code: 'empty_reply' })
    await expectFree(id)
  })
})

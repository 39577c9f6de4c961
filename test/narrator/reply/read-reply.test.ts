import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { ConnectionError } from '../../../src/narrator/connect/connection-error.ts'
import {
  MAX_REPLY,
  MAX_THINKING,
  MAX_WITHOUT_TEXT,
  readReply,
} from '../../../src/narrator/reply/read-reply.ts'
import { MAX_LINE } from '../../../src/narrator/reply/sse-events.ts'
import { runs } from '../../support/depth.ts'
import { frame } from '../../support/endpoint/endpoint.ts'
import { BODIES } from './bodies.ts'
import { type CollectedReply, collect } from './collect.ts'

function read(...chunks: (string | Uint8Array)[]): Promise<CollectedReply> {
  const bytes = chunks.map((chunk) => (typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk))
  return collect(readReply(oneByOne(bytes)))
}

async function* oneByOne(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}

const delta = (fields: object, more: object = {}) =>
  frame({ choices: [{ index: 0, delta: fields, ...more }] })
const says = (content: string) => delta({ content })
const DONE = 'data: [DONE]\n\n'
const DOOR = says('The ') + says('door')

describe('a reply is read in every format that servers use', () => {
  test.each([
    ['chunks of a chat', DOOR + DONE],
    [
      'chunks of a completion',
      frame({ choices: [{ text: 'The ' }] }) + frame({ choices: [{ text: 'door' }] }) + DONE,
    ],
    ['messages instead of deltas', frame({ choices: [{ message: { content: 'The door' } }] }) + DONE],
    [
      'llama.cpp’s native completions',
      frame({ content: 'The ', stop: false }) + frame({ content: 'door', stop: true }),
    ],
    [
      'content in parts',
      delta({
        content: [
          { type: 'text', text: 'The ' },
          { type: 'text', text: 'door' },
        ],
      }),
    ],
    ['content in plain strings', delta({ content: ['The ', 'door'] })],
    ['no [DONE]', DOOR],
    ['no blank line at the end', DOOR.trimEnd()],
    ['CRLF', (DOOR + DONE).replaceAll('\n', '\r\n')],
    ['CR', (DOOR + DONE).replaceAll('\n', '\r')],
    [
      'all three line ends',
      says('The ').replaceAll('\n', '\r') + says('door').replaceAll('\n', '\r\n') + DONE,
    ],
    ['control characters', says('T\0he \u202e\x1b\x07') + says('do\u0085o\u202ar') + DONE],
    ['no space after data:', (DOOR + DONE).replaceAll('data: ', 'data:')],
    [
      'comments and pings in between',
      `: ping\n\n${says('The ')}:\n: OPENROUTER PROCESSING\n\n${says('door')}${DONE}`,
    ],
    ['names, ids and retry times', `event: message\nid: 1\nretry: 10\n${DOOR}${DONE}`],
    ['an event in several lines', 'data: {"choices": [{"delta":\ndata: {"content": "The door"}}]}\n\n'],
    ['a byte order mark', `\uFEFF${DOOR}`],
    [
      'chunks without content',
      delta({ role: 'assistant', content: null }) + frame({ choices: [] }) + frame({}) + DOOR + frame(null),
    ],
    ['chunks that cannot be parsed', `data: {"choices": [{"del\n\n${DOOR}data: ok\n\n${DONE}`],
    ['an error field that is empty', frame({ error: null, choices: [{ delta: { content: 'The door' } }] })],
    [
      'JSON lines without the event format',
      '{"choices":[{"delta":{"content":"The "}}]}\n{"choices":[{"delta":{"content":"door"}}]}\n',
    ],
    ['a whole chat', JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'The door' } }] })],
    ['a whole completion', JSON.stringify({ choices: [{ text: 'The door' }] })],
    [
      'a whole chat over many lines',
      JSON.stringify({ choices: [{ message: { content: 'The door' } }] }, null, 2),
    ],
    ['anything after [DONE]', DOOR + DONE + says(' falls off its hinges')],
    [
      'lines of Ollama’s native API',
      '{"message":{"content":"The "},"done":false}\n{"message":{"content":"door"},"done":false}\n{"done":true}\n',
    ],
    ['a whole response of Ollama’s native API', '{"message":{"content":"The door"},"done":true}'],
    ['two fields at once', delta({ content: 'The door' }, { text: 'The door' })],
  ])('%s', async (_name, body) => {
    const reply = await read(body)
    expect(reply.error).toBeNull()
    expect(reply.text).toBe('The door')
    expect(reply.thinking).toBe('')
    expect(reply.parts.at(-1)?.kind).toBe('end')
  })

  test('characters split across chunks', async () => {
    const bytes = Buffer.from(says('Grüße 🌲'))
    expect((await read(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).text).toBe('Grüße 🌲')
  })

  test('invalid UTF-8 is replaced, and NULs are left out', async () => {
    const body = Buffer.concat([
      Buffer.from('data: {"choices":[{"delta":{"content":"a'),
      Buffer.from([0xff]),
      Buffer.from('b\\u0000c"}}]}\n\n'),
    ])
    expect((await read(body)).text).toBe('a\uFFFDbc')
  })

  test('isolates around words of another direction stay', async () => {
    const text = 'He reads \u2067שלום 5\u2069 aloud.'
    expect((await read(says(text))).text).toBe(text)
  })

  test('our own event names and done markers inside the text are text', async () => {
    const text = 'event: done\ndata: {"type":"done"}\n\ndata: [DONE]\n\n'
    expect((await read(`${says(text)}event: save\n${says('!')}`)).text).toBe(`${text}!`)
  })
})

describe('thinking', () => {
  test.each([
    ['reasoning_content', delta({ reasoning_content: 'hm' })],
    ['reasoning', delta({ reasoning: 'hm' })],
    ['thinking', delta({ thinking: 'hm' })],
    [
      'several fields with the same text',
      delta({ reasoning: 'hm', reasoning_content: 'hm', thinking: 'hm' }),
    ],
    ['an empty field before a full one', delta({ reasoning_content: '', reasoning: 'hm' })],
    ['a message', frame({ choices: [{ message: { reasoning_content: 'hm' } }] })],
    ['a choice', frame({ choices: [{ reasoning: 'hm', text: '' }] })],
    ['content parts', delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] })],
    ['plain content parts', delta({ content: [{ type: 'reasoning', text: 'hm' }] })],
    ['a message of Ollama’s native API', '{"message":{"content":"","thinking":"hm"},"done":false}\n'],
    ['tags', says('<thi') + says('nk>hm</think>')],
  ])('in %s is separated from the text', async (_name, body) => {
    const reply = await read(body + says('The door'))
    expect([reply.thinking, reply.text, reply.error]).toEqual(['hm', 'The door', null])
  })

  test('opened by the template in the prompt is recast', async () => {
    const reply = await read(says('First the door.</thi') + says('nk>The door opens.'))
    expect(reply.parts).toEqual([
      { kind: 'text', text: 'First the door.' },
      { kind: 'recast' },
      { kind: 'text', text: 'The door opens.' },
      { kind: 'end', cut: null, usage: null },
    ])
  })
})

describe('progress through the prompt', () => {
  const progress = (fields: object) => frame({ choices: [{ delta: {} }], prompt_progress: fields })

  test('is reported when the server sends it', async () => {
    const read1 = progress({ total: 13_400, cache: 100, processed: 2_100, time_ms: 800 })
    const read2 = progress({ total: 13_400, cache: 100, processed: 13_400, time_ms: 4_000 })
    expect((await read(read1 + read2 + DOOR)).parts.slice(0, 3)).toEqual([
      { kind: 'phase', phase: 'reading', read: 2_100, total: 13_400, cached: 100 },
      { kind: 'phase', phase: 'reading', read: 13_400, total: 13_400, cached: 100 },
      { kind: 'text', text: 'The door' },
    ])
  })

  test.each([
    [{}],
    [{ total: 10 }],
    [{ total: 10, processed: '2' }],
    [{ total: 10, processed: -1 }],
    [{ total: 10, processed: 11 }],
  ])('is ignored for %j', async (fields) => {
    expect((await read(progress(fields))).parts).toEqual([{ kind: 'end', cut: null, usage: null }])
  })
})

describe('the end', () => {
  test('has the usage of a chunk without choices', async () => {
    const usage = { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 }
    expect((await read(DOOR + frame({ choices: [], usage }) + DONE)).parts.at(-1)).toEqual({
      kind: 'end',
      cut: null,
      usage: { prompt_tokens: 12, cached_tokens: null, completion_tokens: 3 },
    })
  })

  test('has the cached tokens of llama.cpp, from the timings next to the usage', async () => {
    const usage = { prompt_tokens: 120, completion_tokens: 3 }
    const timings = { cache_n: 100, prompt_n: 20, predicted_n: 3 }
    for (const [chunk, wanted] of [
      [{ choices: [], usage, timings }, 100],
      [{ choices: [], timings }, 100],
      [{ choices: [], usage: { ...usage, prompt_tokens_details: { cached_tokens: 90 } }, timings }, 90],
    ] as const)
      expect((await read(DOOR + frame(chunk))).parts.at(-1)).toMatchObject({
        usage: { ...usage, cached_tokens: wanted },
      })
  })

  test('ignores invalid counts', async () => {
    const body = frame({ choices: [], usage: { prompt_tokens: '12', completion_tokens: -1 } })
    expect((await read(body)).parts).toEqual([
      {
        kind: 'end',
        cut: null,
        usage: { prompt_tokens: null, cached_tokens: null, completion_tokens: null },
      },
    ])
  })

  test.each([
    ['length', 'length'],
    ['stop', null],
    [null, null],
  ])('finish_reason %p is cut %p', async (finish_reason, cut) => {
    const body = DOOR + delta({}, { finish_reason }) + frame({ choices: [] }) + DONE
    expect((await read(body)).parts.at(-1)).toMatchObject({ kind: 'end', cut: cut as 'length' | null })
  })

  test.each([
    ['an empty body', ''],
    ['only comments', ': ping\n\n: ping\n\n'],
    ['only [DONE]', DONE],
    ['only unreadable events', 'data: hello\n\ndata: {"a\n\n'],
    ['a JSON value of another kind', '"hello"'],
    ['a JSON object of another kind', '{\n  "ok": true\n}'],
    ['null', 'null'],
    ['a list', '[1, {"choices": 3}]'],
    ['hostile names', '{"__proto__": {"choices": [{"text": "x"}]}, "constructor": 1}'],
  ])('is the only part of %s', async (_name, body) => {
    const reply = await read(body)
    expect(reply.error).toBeNull()
    expect(reply.parts).toEqual([{ kind: 'end', cut: null, usage: null }])
  })

  const lost = new ConnectionError('lost', 'ECONNRESET')
  async function* breaking(body: string) {
    yield new TextEncoder().encode(body)
    throw lost
  }

  test('is missing when the connection is lost', async () => {
    const reply = await collect(readReply(breaking(DOOR)))
    expect(reply.error).toBe(lost)
    expect(reply.parts).toEqual([{ kind: 'text', text: 'The door' }])
  })

  test.each([
    ['a chunk', DOOR + delta({}, { finish_reason: 'length' })],
    ['the last chunk of text', says('The ') + delta({ content: 'door' }, { finish_reason: 'length' })],
    ['Ollama', '{"message":{"content":"The door"},"done":true,"done_reason":"length"}\n'],
  ])('reported by %s counts even if the connection is then lost', async (_name, body) => {
    const reply = await collect(readReply(breaking(body)))
    expect([reply.error, reply.text]).toEqual([null, 'The door'])
    expect(reply.parts.at(-1)).toEqual({ kind: 'end', cut: 'length', usage: null })
  })

  test('reported with every chunk does not count', async () => {
    const early = delta({ content: 'The ' }, { finish_reason: 'stop' }) + says('door')
    expect((await collect(readReply(breaking(early)))).error).toBe(lost)
  })
})

describe('an error of the server is a provider_error with its message', () => {
  test.each([
    ['an object', frame({ error: { message: 'out of memory', type: 'server_error' } })],
    ['a text', frame({ error: 'out of memory' })],
    ['vLLM’s flat object', frame({ object: 'error', message: 'out of memory', code: 500 })],
    ['llama.cpp’s error line', 'error: {"code":500,"message":"out of memory"}\n\n'],
    ['an error line of plain text', 'error: out of memory\n'],
    ['an event named error', 'event: error\ndata: {"error":{"message":"out of memory"}}\n\n'],
    ['an event named error, flat', 'event: error\ndata: {"message":"out of memory"}\n\n'],
    ['an event named error, of plain text', 'event: error\ndata: out of memory\n\n'],
    ['Ollama’s bare line', '{"error":"out of memory"}\n'],
    ['a bare line without an end', '{"error":"out of memory"}'],
    ['a bare object over many lines', '{\n  "error": {\n    "message": "out of memory"\n  }\n}'],
    ['FastAPI’s detail', '{"detail":"out of memory"}'],
    ['KoboldCpp’s detail', '{"detail":{"msg":"out of memory","type":"x"}}'],
    ['an event named error, with a detail', 'event: error\ndata: {"detail":"out of memory"}\n\n'],
    ['a detail in a chunk', frame({ detail: 'out of memory' })],
    ['an error in a choice', frame({ choices: [{ error: { message: 'out of memory' }, delta: {} }] })],
    ['a flag and a message', frame({ error: true, message: 'out of memory' })],
    ['a list of details', '{"detail":[{"loc":["body"],"msg":"out of memory","input":"I climb the stairs"}]}'],
  ])('%s', async (_name, body) => {
    const alone = await read(body)
    expect(alone.error).toMatchObject({
      code: 'provider_error',
      message:
        'The model server reported an error. The machine has too little memory: start the server with a smaller context or a smaller model, then retry. The server said: out of memory',
    })
  })

  test('after half a reply', async () => {
    const reply = await read(DOOR + frame({ error: { message: 'out of memory' } }) + DONE)
    expect(reply.error).toMatchObject({ code: 'provider_error' })
    expect(reply.parts).toEqual([{ kind: 'text', text: 'The door' }])
  })

  test('without a message it is still an error, and repeats nothing of the request', async () => {
    const { error } = await read(frame({ error: { body: { messages: ['I climb the stairs'] } } }))
    expect(error).toMatchObject({
      message: expect.stringContaining('The server said: an error without a message'),
    })
  })

  test('a long message is cut to 500 characters on one line', async () => {
    const { error } = await read(frame({ error: `a\n\u0007b ${'🌲'.repeat(600)}` }))
    const excerpt = String(error).split('The server said: ')[1] ?? ''
    expect(excerpt).toStartWith('a b 🌲')
    expect([...excerpt]).toHaveLength(500)
  })
})

describe('a body that is not a reply', () => {
  test('half a line of JSON at the end is an error, after the text before it', async () => {
    const half = 'data: {"choices": [{"del\n\n'
    const reply = await read(DOOR + half)
    expect(reply.text).toBe('The door')
    expect(reply.error).toMatchObject({
      code: 'provider_error',
      message: expect.stringContaining('broke off'),
    })
    const ended = frame({ choices: [{ delta: {}, finish_reason: 'stop' }] })
    for (const body of [DOOR + half + DONE, DOOR + ended + half, half + DOOR, `${DOOR}data: over\n\n`])
      expect((await read(body)).error).toBeNull()
  })

  test.each([
    [
      'a web page',
      '<!DOCTYPE html>\n<html><head><title>Files</title><style>b{}</style></head><body><b>Index</b> of /</body></html>',
      'sent a web page',
      'Files Index of /',
    ],
    [
      'a web page behind a comment',
      '<!-- hi -->\n<html><body>Index</body></html>',
      'sent a web page',
      'Index',
    ],
    ['text', 'Service is up.\nBye.', 'not a model reply', 'Service is up. Bye.'],
    ['half a JSON body', '{"choices": [{"message": {"content": "The', 'not a model reply', '{"choices"'],
  ])('%s has a message', async (_name, body, what, excerpt) => {
    const { error, parts } = await read(body)
    expect(error).toMatchObject({ code: 'provider_error' })
    expect(String(error)).toContain(what)
    expect(String(error)).toContain(excerpt)
    expect(parts).toEqual([])
  })

  test('is quoted with at most 300 characters and without markup', async () => {
    const { error } = await read(`<html><script>alert(1)</script>${'<p>word'.repeat(10_000)}`)
    const excerpt = String(error).split('of the address: ')[1] ?? ''
    expect([...excerpt]).toHaveLength(300)
    expect(excerpt).not.toMatch(/[<>]|alert/)
  })
})

describe('an endless response is cut off', () => {
  async function* forever(bytes: Uint8Array) {
    for (;;) yield bytes
  }
  const bytes = (text: string) => new TextEncoder().encode(text)
  async function* once(text: string) {
    yield bytes(text)
  }

  const progress = frame({ prompt_progress: { total: 10, processed: 2 } })
  test.each([
    ['text', bytes(says('and on '.repeat(100)).repeat(20)), 'text never ended', '“Max response length”'],
    [
      'thoughts',
      bytes(delta({ reasoning: 'and on '.repeat(100) }).repeat(20)),
      'reasoning never ended',
      '“Reasoning tokens”',
    ],
    ['reasoning in a tag', bytes(says('<think>and on'.repeat(100))), 'reasoning never ended', '−1'],
    ['a line', bytes('data: '.repeat(1_000)), 'One line never ended', 'address'],
    ['an event', bytes('data: and on\n'.repeat(1_000)), 'One event never ended', 'address'],
    ['comments', bytes(': ping\n\n'.repeat(1_000)), 'contained no text', 'address'],
    ['blank lines', bytes('\n'.repeat(10_000)), 'contained no text', 'address'],
    ['empty chunks', bytes(says('').repeat(1_000)), 'contained no text', 'address'],
    ['endless progress through the prompt', bytes(progress.repeat(1_000)), 'contained no text', 'address'],
    ['lines without meaning', bytes('hello\n'.repeat(1_000)), 'contained no text', 'address'],
  ])('%s', async (_name, chunk, what, advice) => {
    const { error, text, thinking } = await collect(readReply(forever(chunk)))
    expect(error).toMatchObject({ code: 'provider_error' })
    for (const fragment of ['too much data', what, advice]) expect(String(error)).toContain(fragment)
    expect(text.length).toBeLessThanOrEqual(MAX_REPLY)
    expect(thinking.length).toBeLessThanOrEqual(MAX_THINKING)
  })

  test('while other work continues', async () => {
    let turns = 0
    let isOver = false
    const others = () => {
      turns++
      if (!isOver) setImmediate(others)
    }
    setImmediate(others)
    await collect(readReply(forever(bytes(': ping\n'.repeat(100_000)))))
    isOver = true
    expect(turns).toBeGreaterThan(0)
  })

  test.each(['', 'a'])('and long text is passed on in parts that never split a character', async (lead) => {
    const trees = lead + '🌲'.repeat(20_000)
    const parts: string[] = []
    for await (const part of readReply(once(says(trees)))) if (part.kind === 'text') parts.push(part.text)
    expect(parts.join('')).toBe(trees)
    expect(parts.filter((part) => part.length > 5_000 || !part.isWellFormed())).toEqual([])
  })

  test('but not a reply and its reasoning at their limits', async () => {
    const half = 'x'.repeat(MAX_REPLY / 2)
    const reply = await read(says(half), says(half), says('</think>'), says(half), says(half))
    expect([reply.error, reply.thinking.length, reply.text.length]).toEqual([null, MAX_THINKING, MAX_REPLY])
  })

  test('but not a line, a reply or a run of pings just within the limits', async () => {
    const line = says('x'.repeat(MAX_REPLY - 4))
    expect(line.length).toBeLessThan(MAX_LINE)
    const pings = ': ping\n'.repeat(Math.floor((MAX_WITHOUT_TEXT - 1_000) / 7))
    const reply = await read(pings, says('1234'), pings, line, pings)
    expect(reply.error).toBeNull()
    expect(reply.text.length).toBe(MAX_REPLY)
  })

  test('long reasoning in small chunks is valid', async () => {
    const envelope = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm'.repeat(150) }
    const chunk = frame({ ...envelope, choices: [{ index: 0, delta: { reasoning_content: 'well ' } }] })
    const reply = await read(...Array.from({ length: 25 }, () => chunk.repeat(1_000)), says('The door'))
    expect(25_000 * chunk.length).toBeGreaterThan(MAX_WITHOUT_TEXT)
    expect([reply.error, reply.text, reply.thinking.length]).toEqual([null, 'The door', 125_000])
  })
})

describe('wherever the bytes are split', () => {
  const cutAt = (bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] => {
    const bounds = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length]
    return bounds.slice(1).map((end, at) => bytes.slice(bounds[at], end))
  }

  test.each(BODIES)('%s gives the same result', async (_server, body, thinking, text, error) => {
    const bytes = new TextEncoder().encode(body)
    const whole = await read(bytes)
    expect(whole).toMatchObject({ thinking, text })
    expect(String(whole.error ?? '')).toContain(error)
    expect(whole.error === null).toBe(error === '')
    expect(await read(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(whole)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 30 }), async (cuts) =>
        expect(await read(...cutAt(bytes, cuts))).toEqual(whole),
      ),
      { numRuns: runs(100) },
    )
  })

  const fragment = fc.constantFrom(
    'The ',
    'dö',
    'or 🌲',
    '<think>',
    '</think>',
    '<thin',
    'k>',
    '\n\n',
    '"',
    '',
  )
  const item = fc.oneof(
    fragment.map((text) => says(text)),
    fc.tuple(fragment, fc.constantFrom('\r\n', '\r')).map(([text, end]) => says(text).replaceAll('\n', end)),
    fragment.map((text) => delta({ reasoning: text })),
    fragment.map((text) => `${JSON.stringify({ choices: [{ text }] })}\n`),
    fragment.map(
      (content) => `${JSON.stringify({ message: { content, thinking: content }, done: false })}\n`,
    ),
    fc.constantFrom(
      ': ping\n',
      '\n',
      'data: {"a\n\n',
      'id: 7\n',
      'data:[DONE]\n\n',
      'hello\n',
      'event: x\n',
      '{\n',
    ),
    fc.constantFrom(
      'error: no\n',
      frame({ error: { message: 'no' } }),
      frame({ choices: [], usage: { prompt_tokens: 1 } }),
      frame({ prompt_progress: { total: 10, processed: 2 } }),
    ),
    fc.constantFrom(
      delta({}, { finish_reason: 'length' }),
      delta({}, { finish_reason: 'stop' }),
      '<html>\n',
      '\uFEFF',
    ),
    fc.constant(JSON.stringify({ choices: [{ message: { content: 'The\ndoor' } }] }, null, 1)),
  )

  test('the result is the same', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(item, { maxLength: 12 }),
        fc.array(fc.nat(600), { maxLength: 30 }),
        async (items, cuts) => {
          const bytes = new TextEncoder().encode(items.join(''))
          expect(await read(...cutAt(bytes, cuts))).toEqual(await read(bytes))
        },
      ),
      { numRuns: runs(1_500) },
    ))

  test('byte by byte too', () =>
    fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 6 }), async (items) => {
        const bytes = new TextEncoder().encode(items.join(''))
        expect(await read(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(await read(bytes))
      }),
      { numRuns: runs(200) },
    ))
})

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { LineFault } from '../../src/narrator/line-fault.ts'
import { LONGEST_LINE } from '../../src/narrator/lines.ts'
import { LONGEST_REPLY, MOST_IDLE_BYTES, readPieces } from '../../src/narrator/stream.ts'
import { frame } from '../support/endpoint.ts'
import { collect, type Told } from './told.ts'

function read(...chunks: (string | Uint8Array)[]): Promise<Told> {
  const bytes = chunks.map((chunk) => (typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk))
  return collect(readPieces(oneByOne(bytes)))
}

async function* oneByOne(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}

const delta = (fields: object, more: object = {}) =>
  frame({ choices: [{ index: 0, delta: fields, ...more }] })
const says = (content: string) => delta({ content })
const DONE = 'data: [DONE]\n\n'
const DOOR = says('The ') + says('door')

describe('a reply is read in every dress that servers give it', () => {
  test.each([
    ['chunks of a chat', DOOR + DONE],
    [
      'chunks of a completion',
      frame({ choices: [{ text: 'The ' }] }) + frame({ choices: [{ text: 'door' }] }) + DONE,
    ],
    ['messages instead of deltas', frame({ choices: [{ message: { content: 'The door' } }] }) + DONE],
    [
      'llama.cpp’s own completions',
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
    ['content in bare parts', delta({ content: ['The ', 'door'] })],
    ['no [DONE]', DOOR],
    ['no blank line at the end', DOOR.trimEnd()],
    ['CRLF', (DOOR + DONE).replaceAll('\n', '\r\n')],
    ['no space behind data:', (DOOR + DONE).replaceAll('data: ', 'data:')],
    [
      'comments and pings between',
      `: ping\n\n${says('The ')}:\n: OPENROUTER PROCESSING\n\n${says('door')}${DONE}`,
    ],
    ['names, ids and retry times', `event: message\nid: 1\nretry: 10\n${DOOR}${DONE}`],
    ['an event in several lines', 'data: {"choices": [{"delta":\ndata: {"content": "The door"}}]}\n\n'],
    ['a byte order mark', `\uFEFF${DOOR}`],
    [
      'chunks that say nothing',
      delta({ role: 'assistant', content: null }) + frame({ choices: [] }) + frame({}) + DOOR + frame(null),
    ],
    ['chunks that cannot be read', `data: {"choices": [{"del\n\n${DOOR}data: ok\n\n${DONE}`],
    ['an error field that is empty', frame({ error: null, choices: [{ delta: { content: 'The door' } }] })],
    [
      'JSON lines without a frame',
      '{"choices":[{"delta":{"content":"The "}}]}\n{"choices":[{"delta":{"content":"door"}}]}\n',
    ],
    ['a whole chat', JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'The door' } }] })],
    ['a whole completion', JSON.stringify({ choices: [{ text: 'The door' }] })],
    [
      'a whole chat over many lines',
      JSON.stringify({ choices: [{ message: { content: 'The door' } }] }, null, 2),
    ],
    ['anything behind [DONE]', DOOR + DONE + says(' falls off its hinges')],
    ['two fields at once', delta({ content: 'The door' }, { text: 'The door' })],
  ])('%s', async (_name, body) => {
    const told = await read(body)
    expect(told.error).toBeNull()
    expect(told.text).toBe('The door')
    expect(told.thinking).toBe('')
    expect(told.pieces.at(-1)?.kind).toBe('end')
  })

  test('letters that were cut in the middle', async () => {
    const bytes = Buffer.from(says('Grüße 🌲'))
    expect((await read(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).text).toBe('Grüße 🌲')
  })

  test('bytes that are no letters, and NULs, stay text', async () => {
    const body = Buffer.concat([
      Buffer.from('data: {"choices":[{"delta":{"content":"a'),
      Buffer.from([0xff]),
      Buffer.from('b\\u0000c"}}]}\n\n'),
    ])
    expect((await read(body)).text).toBe('a\uFFFDb\0c')
  })

  test('names of our own events and done marks inside the text are text', async () => {
    const text = 'event: done\ndata: {"type":"done"}\n\ndata: [DONE]\n\n'
    expect((await read(`${says(text)}event: save\n${says('!')}`)).text).toBe(`${text}!`)
  })
})

describe('thinking', () => {
  test.each([
    ['reasoning_content', delta({ reasoning_content: 'hm' })],
    ['reasoning', delta({ reasoning: 'hm' })],
    ['thinking', delta({ thinking: 'hm' })],
    ['the same twice', delta({ reasoning: 'hm', reasoning_content: 'hm', thinking: 'hm' })],
    ['an empty field before a full one', delta({ reasoning_content: '', reasoning: 'hm' })],
    ['a message', frame({ choices: [{ message: { reasoning_content: 'hm' } }] })],
    ['a choice', frame({ choices: [{ reasoning: 'hm', text: '' }] })],
    ['content parts', delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] })],
    ['plain content parts', delta({ content: [{ type: 'reasoning', text: 'hm' }] })],
    ['tags', says('<thi') + says('nk>hm</think>')],
  ])('in %s is told apart', async (_name, body) => {
    const told = await read(body + says('The door'))
    expect([told.thinking, told.text, told.error]).toEqual(['hm', 'The door', null])
  })

  test('that the template had opened in the prompt is recast', async () => {
    const told = await read(says('First the door.</thi') + says('nk>The door opens.'))
    expect(told.pieces).toEqual([
      { kind: 'text', text: 'First the door.' },
      { kind: 'recast' },
      { kind: 'text', text: 'The door opens.' },
      { kind: 'end', cut: null, usage: null },
    ])
  })
})

describe('the end', () => {
  test('tells the usage of a chunk without choices', async () => {
    const usage = { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 }
    expect((await read(DOOR + frame({ choices: [], usage }) + DONE)).pieces.at(-1)).toEqual({
      kind: 'end',
      cut: null,
      usage: { prompt_tokens: 12, cached_tokens: null, completion_tokens: 3 },
    })
  })

  test('does not believe odd counts', async () => {
    const body = frame({ choices: [], usage: { prompt_tokens: '12', completion_tokens: -1 } })
    expect((await read(body)).pieces).toEqual([
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
    expect((await read(body)).pieces.at(-1)).toMatchObject({ kind: 'end', cut: cut as 'length' | null })
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
  ])('is all that comes of %s', async (_name, body) => {
    const told = await read(body)
    expect(told.error).toBeNull()
    expect(told.pieces).toEqual([{ kind: 'end', cut: null, usage: null }])
  })

  test('does not come when the body breaks', async () => {
    const lost = new LineFault('lost', 'ECONNRESET')
    async function* breaking() {
      yield new TextEncoder().encode(DOOR)
      throw lost
    }
    const told = await collect(readPieces(breaking()))
    expect(told.error).toBe(lost)
    expect(told.pieces).toEqual([{ kind: 'text', text: 'The door' }])
  })
})

describe('an error of the server is a provider_error with its own words', () => {
  test.each([
    ['an object', frame({ error: { message: 'out of memory', type: 'server_error' } })],
    ['a text', frame({ error: 'out of memory' })],
    ['vLLM’s flat one', frame({ object: 'error', message: 'out of memory', code: 500 })],
    ['llama.cpp’s error line', 'error: {"code":500,"message":"out of memory"}\n\n'],
    ['an error line of plain words', 'error: out of memory\n'],
    ['an event named error', 'event: error\ndata: {"error":{"message":"out of memory"}}\n\n'],
    ['an event named error, flat', 'event: error\ndata: {"message":"out of memory"}\n\n'],
    ['an event named error, of plain words', 'event: error\ndata: out of memory\n\n'],
    ['Ollama’s bare line', '{"error":"out of memory"}\n'],
    ['a bare line without an end', '{"error":"out of memory"}'],
    ['a bare object over many lines', '{\n  "error": {\n    "message": "out of memory"\n  }\n}'],
    ['FastAPI’s detail', '{"detail":"out of memory"}'],
    ['KoboldCpp’s detail', '{"detail":{"msg":"out of memory","type":"x"}}'],
    ['a list of details', '{"detail":[{"loc":["body"],"msg":"out of memory","input":"I climb the stairs"}]}'],
  ])('%s', async (_name, body) => {
    const alone = await read(body)
    expect(alone.error).toMatchObject({
      code: 'provider_error',
      message: 'The model server reported an error: out of memory',
    })
  })

  test('also behind half a reply', async () => {
    const told = await read(DOOR + frame({ error: { message: 'out of memory' } }) + DONE)
    expect(told.error).toMatchObject({ code: 'provider_error' })
    expect(told.pieces).toEqual([{ kind: 'text', text: 'The door' }])
  })

  test('without words it is still one, and repeats nothing of what was sent', async () => {
    const { error } = await read(frame({ error: { body: { messages: ['I climb the stairs'] } } }))
    expect(error).toMatchObject({ message: 'The model server reported an error: an error without a message' })
  })

  test('with too many words it is cut to 500 letters on one line', async () => {
    const { error } = await read(frame({ error: `a\n\u0007b ${'🌲'.repeat(600)}` }))
    const said = String(error).split('an error: ')[1] ?? ''
    expect(said).toStartWith('a b 🌲')
    expect([...said]).toHaveLength(500)
  })
})

describe('what is no reply', () => {
  test.each([
    [
      'a web page',
      '<!DOCTYPE html>\n<html><head><title>Files</title><style>b{}</style></head><body><b>Index</b> of /</body></html>',
      'A web page answered',
      'Files Index of /',
    ],
    [
      'a web page behind a comment',
      '<!-- hi -->\n<html><body>Index</body></html>',
      'A web page answered',
      'Index',
    ],
    ['words', 'Service is up.\nBye.', 'no reply of a model', 'Service is up. Bye.'],
    ['half of a JSON body', '{"choices": [{"message": {"content": "The', 'no reply of a model', '{"choices"'],
  ])('%s is told in words', async (_name, body, what, excerpt) => {
    const { error, pieces } = await read(body)
    expect(error).toMatchObject({ code: 'provider_error' })
    expect(String(error)).toContain(what)
    expect(String(error)).toContain(excerpt)
    expect(pieces).toEqual([])
  })

  test('is quoted with at most 300 letters and without markup', async () => {
    const { error } = await read(`<html><script>alert(1)</script>${'<p>word'.repeat(10_000)}`)
    const said = String(error).split('of the address: ')[1] ?? ''
    expect([...said]).toHaveLength(300)
    expect(said).not.toMatch(/[<>]|alert/)
  })
})

describe('a server without end is cut off', () => {
  async function* forever(bytes: Uint8Array) {
    for (;;) yield bytes
  }
  const bytes = (text: string) => new TextEncoder().encode(text)

  test.each([
    ['words', bytes(says('and on '.repeat(100)).repeat(20))],
    ['thoughts', bytes(delta({ reasoning: 'and on '.repeat(100) }).repeat(20))],
    ['a line', bytes('data: '.repeat(1_000))],
    ['an event', bytes('data: and on\n'.repeat(1_000))],
    ['comments', bytes(': ping\n\n'.repeat(1_000))],
    ['blank lines', bytes('\n'.repeat(10_000))],
    ['empty chunks', bytes(says('').repeat(1_000))],
    ['lines of no kind', bytes('hello\n'.repeat(1_000))],
  ])('%s', async (_name, chunk) => {
    const { error, text, thinking } = await collect(readPieces(forever(chunk)))
    expect(error).toMatchObject({ code: 'provider_error' })
    expect(String(error)).toContain('more than a reply can be')
    expect(text.length + thinking.length).toBeLessThanOrEqual(LONGEST_REPLY)
  })

  test('but not a line, a reply or a stretch of pings that is just within the limits', async () => {
    const line = says('x'.repeat(LONGEST_REPLY - 4))
    expect(line.length).toBeLessThan(LONGEST_LINE)
    const pings = ': ping\n'.repeat(Math.floor((MOST_IDLE_BYTES - 1_000) / 7))
    const told = await read(pings, says('1234'), pings, line, pings)
    expect(told.error).toBeNull()
    expect(told.text.length).toBe(LONGEST_REPLY)
  })

  test('long thinking in small chunks is no fault', async () => {
    const envelope = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm'.repeat(150) }
    const chunk = frame({ ...envelope, choices: [{ index: 0, delta: { reasoning_content: 'well ' } }] })
    const told = await read(...Array.from({ length: 25 }, () => chunk.repeat(1_000)), says('The door'))
    expect(25_000 * chunk.length).toBeGreaterThan(MOST_IDLE_BYTES)
    expect([told.error, told.text, told.thinking.length]).toEqual([null, 'The door', 125_000])
  })
})

describe('however the bytes are cut', () => {
  const word = fc.constantFrom('The ', 'dö', 'or 🌲', '<think>', '</think>', '<thin', 'k>', '\n\n', '"', '')
  const item = fc.oneof(
    word.map((text) => says(text)),
    word.map((text) => says(text).replaceAll('\n', '\r\n')),
    word.map((text) => delta({ reasoning: text })),
    word.map((text) => `${JSON.stringify({ choices: [{ text }] })}\n`),
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
    ),
    fc.constantFrom(
      delta({}, { finish_reason: 'length' }),
      delta({}, { finish_reason: 'stop' }),
      '<html>\n',
      '\uFEFF',
    ),
    fc.constant(JSON.stringify({ choices: [{ message: { content: 'The\ndoor' } }] }, null, 1)),
  )

  test('the same comes out', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(item, { maxLength: 12 }),
        fc.array(fc.nat(600), { maxLength: 30 }),
        async (items, cuts) => {
          const bytes = new TextEncoder().encode(items.join(''))
          const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length]
          const chunks = places.slice(1).map((end, at) => bytes.slice(places[at], end))
          expect(await read(...chunks)).toEqual(await read(bytes))
        },
      ),
      { numRuns: 1_500 },
    ))

  test('also byte by byte', () =>
    fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 6 }), async (items) => {
        const bytes = new TextEncoder().encode(items.join(''))
        expect(await read(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(await read(bytes))
      }),
      { numRuns: 200 },
    ))
})

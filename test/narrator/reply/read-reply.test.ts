import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { LineFault } from '../../../src/narrator/connect/connection-error.ts'
import { LONGEST_LINE } from '../../../src/narrator/lines.ts'
import { LONGEST_REPLY, LONGEST_THINKING, MOST_IDLE, readPieces } from '../../../src/narrator/stream.ts'
import { frame } from '../../support/endpoint/endpoint.ts'
import { BODIES } from './bodies.ts'
import { collect, type Told } from '../told.ts'

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
    [
      'Ollama’s own lines',
      '{"message":{"content":"The "},"done":false}\n{"message":{"content":"door"},"done":false}\n{"done":true}\n',
    ],
    ['a whole answer of Ollama’s own', '{"message":{"content":"The door"},"done":true}'],
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
    ['a message of Ollama’s own', '{"message":{"content":"","thinking":"hm"},"done":false}\n'],
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

describe('how much of the prompt is read', () => {
  const progress = (fields: object) => frame({ choices: [{ delta: {} }], prompt_progress: fields })

  test('is told as far as the server tells', async () => {
    const read1 = progress({ total: 13_400, cache: 100, processed: 2_100, time_ms: 800 })
    const read2 = progress({ total: 13_400, cache: 100, processed: 13_400, time_ms: 4_000 })
    expect((await read(read1 + read2 + DOOR)).pieces.slice(0, 3)).toEqual([
      { kind: 'phase', phase: 'reading', read: 2_100, total: 13_400 },
      { kind: 'phase', phase: 'reading', read: 13_400, total: 13_400 },
      { kind: 'text', text: 'The door' },
    ])
  })

  test.each([
    [{}],
    [{ total: 10 }],
    [{ total: 10, processed: '2' }],
    [{ total: 10, processed: -1 }],
    [{ total: 10, processed: 11 }],
  ])('is not believed of %j', async (fields) => {
    expect((await read(progress(fields))).pieces).toEqual([{ kind: 'end', cut: null, usage: null }])
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

  test('tells what llama.cpp had read before, from the timings beside the usage', async () => {
    const usage = { prompt_tokens: 120, completion_tokens: 3 }
    const timings = { cache_n: 100, prompt_n: 20, predicted_n: 3 }
    for (const [chunk, wanted] of [
      [{ choices: [], usage, timings }, 100],
      [{ choices: [], timings }, 100],
      [{ choices: [], usage: { ...usage, prompt_tokens_details: { cached_tokens: 90 } }, timings }, 90],
    ] as const)
      expect((await read(DOOR + frame(chunk))).pieces.at(-1)).toMatchObject({
        usage: { ...usage, cached_tokens: wanted },
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

  const lost = new LineFault('lost', 'ECONNRESET')
  async function* breaking(body: string) {
    yield new TextEncoder().encode(body)
    throw lost
  }

  test('does not come when the body breaks', async () => {
    const told = await collect(readPieces(breaking(DOOR)))
    expect(told.error).toBe(lost)
    expect(told.pieces).toEqual([{ kind: 'text', text: 'The door' }])
  })

  test.each([
    ['a chunk', DOOR + delta({}, { finish_reason: 'length' })],
    ['the last words', says('The ') + delta({ content: 'door' }, { finish_reason: 'length' })],
    ['Ollama', '{"message":{"content":"The door"},"done":true,"done_reason":"length"}\n'],
  ])('that %s has named stands when the line breaks behind it', async (_name, body) => {
    const told = await collect(readPieces(breaking(body)))
    expect([told.error, told.text]).toEqual([null, 'The door'])
    expect(told.pieces.at(-1)).toEqual({ kind: 'end', cut: 'length', usage: null })
  })

  test('that was named with each piece is none', async () => {
    const early = delta({ content: 'The ' }, { finish_reason: 'stop' }) + says('door')
    expect((await collect(readPieces(breaking(early)))).error).toBe(lost)
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
    ['an event named error, with a detail', 'event: error\ndata: {"detail":"out of memory"}\n\n'],
    ['a detail in a chunk', frame({ detail: 'out of memory' })],
    ['an error in a choice', frame({ choices: [{ error: { message: 'out of memory' }, delta: {} }] })],
    ['a flag and a message', frame({ error: true, message: 'out of memory' })],
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
  async function* once(text: string) {
    yield bytes(text)
  }

  const progress = frame({ prompt_progress: { total: 10, processed: 2 } })
  test.each([
    ['words', bytes(says('and on '.repeat(100)).repeat(20)), 'reply did not end', '“Output tokens”'],
    [
      'thoughts',
      bytes(delta({ reasoning: 'and on '.repeat(100) }).repeat(20)),
      'thinking did not end',
      '“Reasoning tokens”',
    ],
    ['thoughts in a tag', bytes(says('<think>and on'.repeat(100))), 'thinking did not end', '−1'],
    ['a line', bytes('data: '.repeat(1_000)), 'line of it did not end', 'address'],
    ['an event', bytes('data: and on\n'.repeat(1_000)), 'event in it did not end', 'address'],
    ['comments', bytes(': ping\n\n'.repeat(1_000)), 'Nothing in it was text', 'address'],
    ['blank lines', bytes('\n'.repeat(10_000)), 'Nothing in it was text', 'address'],
    ['empty chunks', bytes(says('').repeat(1_000)), 'Nothing in it was text', 'address'],
    ['a prompt that is read for ever', bytes(progress.repeat(1_000)), 'Nothing in it was text', 'address'],
    ['lines of no kind', bytes('hello\n'.repeat(1_000)), 'Nothing in it was text', 'address'],
  ])('%s', async (_name, chunk, what, advice) => {
    const { error, text, thinking } = await collect(readPieces(forever(chunk)))
    expect(error).toMatchObject({ code: 'provider_error' })
    for (const word of ['more than a reply can be', what, advice]) expect(String(error)).toContain(word)
    expect(text.length).toBeLessThanOrEqual(LONGEST_REPLY)
    expect(thinking.length).toBeLessThanOrEqual(LONGEST_THINKING)
  })

  test('and others have their turn meanwhile', async () => {
    let turns = 0
    let isOver = false
    const others = () => {
      turns++
      if (!isOver) setImmediate(others)
    }
    setImmediate(others)
    await collect(readPieces(forever(bytes(': ping\n'.repeat(100_000)))))
    isOver = true
    expect(turns).toBeGreaterThan(0)
  })

  test.each(['', 'a'])(
    'and what is long is handed on in parts, none of which ends within a letter',
    async (lead) => {
      const trees = lead + '🌲'.repeat(20_000)
      const parts: string[] = []
      for await (const piece of readPieces(once(says(trees))))
        if (piece.kind === 'text') parts.push(piece.text)
      expect(parts.join('')).toBe(trees)
      expect(parts.filter((part) => part.length > 5_000 || !part.isWellFormed())).toEqual([])
    },
  )

  test('but not a reply and its thinking that are each as long as they may be', async () => {
    const half = 'x'.repeat(LONGEST_REPLY / 2)
    const told = await read(says(half), says(half), says('</think>'), says(half), says(half))
    expect([told.error, told.thinking.length, told.text.length]).toEqual([
      null,
      LONGEST_THINKING,
      LONGEST_REPLY,
    ])
  })

  test('but not a line, a reply or a stretch of pings that is just within the limits', async () => {
    const line = says('x'.repeat(LONGEST_REPLY - 4))
    expect(line.length).toBeLessThan(LONGEST_LINE)
    const pings = ': ping\n'.repeat(Math.floor((MOST_IDLE - 1_000) / 7))
    const told = await read(pings, says('1234'), pings, line, pings)
    expect(told.error).toBeNull()
    expect(told.text.length).toBe(LONGEST_REPLY)
  })

  test('long thinking in small chunks is no fault', async () => {
    const envelope = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm'.repeat(150) }
    const chunk = frame({ ...envelope, choices: [{ index: 0, delta: { reasoning_content: 'well ' } }] })
    const told = await read(...Array.from({ length: 25 }, () => chunk.repeat(1_000)), says('The door'))
    expect(25_000 * chunk.length).toBeGreaterThan(MOST_IDLE)
    expect([told.error, told.text, told.thinking.length]).toEqual([null, 'The door', 125_000])
  })
})

describe('however the bytes are cut', () => {
  const cutAt = (bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] => {
    const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length]
    return places.slice(1).map((end, at) => bytes.slice(places[at], end))
  }

  test.each(BODIES)('%s says the same', async (_server, body, thinking, text, error) => {
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
      { numRuns: 100 },
    )
  })

  const word = fc.constantFrom('The ', 'dö', 'or 🌲', '<think>', '</think>', '<thin', 'k>', '\n\n', '"', '')
  const item = fc.oneof(
    word.map((text) => says(text)),
    word.map((text) => says(text).replaceAll('\n', '\r\n')),
    word.map((text) => delta({ reasoning: text })),
    word.map((text) => `${JSON.stringify({ choices: [{ text }] })}\n`),
    word.map((content) => `${JSON.stringify({ message: { content, thinking: content }, done: false })}\n`),
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

  test('the same comes out', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(item, { maxLength: 12 }),
        fc.array(fc.nat(600), { maxLength: 30 }),
        async (items, cuts) => {
          const bytes = new TextEncoder().encode(items.join(''))
          expect(await read(...cutAt(bytes, cuts))).toEqual(await read(bytes))
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

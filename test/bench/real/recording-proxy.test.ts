import { afterEach, expect, test } from 'bun:test'
import { RecordingProxy } from '../../../bench/real/recording-proxy.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const STORY = JSON.stringify({ max_tokens: 121, messages: [{ role: 'user', content: '> You wait.' }] })
const LAST = {
  choices: [{ delta: { content: 'fell.' }, finish_reason: 'stop' }],
  timings: { prompt_n: 3, cache_n: 9, predicted_n: 2, prompt_ms: 1 },
  usage: { prompt_tokens: 12, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 9 } },
}

async function proxyBefore(answer: () => Response | Promise<Response>): Promise<RecordingProxy> {
  const model = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: answer })
  const proxy = new RecordingProxy(`http://127.0.0.1:${model.port}`, 121)
  await proxy.start()
  ends.push(
    () => proxy.stop(),
    () => model.stop(true),
  )
  return proxy
}

const ask = (proxy: RecordingProxy, signal?: AbortSignal) =>
  fetch(`${proxy.address}/v1/chat/completions`, {
    method: 'POST',
    body: STORY,
    ...(signal ? { signal } : {}),
  })

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await Bun.sleep(1)
}

test('a reply passes through unchanged, and its numbers are recorded', async () => {
  const text = `data: {"choices":[{"delta":{"content":"Rain "}}]}\n\ndata: ${JSON.stringify(LAST)}\n\ndata: [DONE]\n\n`
  const proxy = await proxyBefore(() => new Response(text))
  proxy.action = 'do'
  expect(await (await ask(proxy)).text()).toBe(text)
  const [exchange] = proxy.exchanges
  const { timings, usage } = { ...LAST, usage: { prompt_tokens: 12, completion_tokens: 2, cached_tokens: 9 } }
  expect(exchange).toMatchObject({ kind: 'story', action: 'do', reply: 'Rain fell.', timings, usage })
  expect(exchange).toMatchObject({ complete: true, brokenOff: false, status: 200 })
})

test('a request that the client leaves is recorded as broken off, before the reply and within it', async () => {
  const silent = await proxyBefore(() => new Promise<Response>(() => {}))
  const writing = await proxyBefore(
    () => new Response(new ReadableStream({ start: (stream) => stream.enqueue('data: {"choices":[]}\n\n') })),
  )
  for (const proxy of [silent, writing]) {
    const leaving = new AbortController()
    const asked = ask(proxy, leaving.signal).catch(() => null)
    await until(() => proxy.exchanges.length === 1)
    if (proxy === writing) await asked
    leaving.abort()
    await until(() => proxy.exchanges[0]?.ended !== null)
    expect(proxy.exchanges[0]).toMatchObject({ brokenOff: true, complete: false })
  }
})

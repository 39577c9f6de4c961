import { connect, type Socket } from 'node:net'
import {
  type Bytes,
  head,
  nested,
  over,
  says,
  startHostile,
  thinks,
} from '../test/support/endpoint/hostile-server.ts'
import { monitor, type ServiceUnderAttack, startUnderAttack } from '../test/support/service/under-attack.ts'

/** Replies of a hostile model server that try to keep the service busy. */
const REPLIES: Record<string, () => Bytes> = {
  'a good reply': () => over(head(), says('The lamp burns low.'), 1),
  'endless text': () => over(head(), says('and on ').repeat(500)),
  'endless reasoning': () => over(head(), thinks('and on ').repeat(500)),
  'a line of 1 GB': () => over(head(), 'x'.repeat(65_536), 16_384),
  '10 MB of comments': () => over(head(), ': ping\n'.repeat(7_500), 200),
  'endless 100 Continue responses': () => over('', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(2_000)),
  'endless headers': () => over('HTTP/1.1 200 OK\r\n', 'x-a: b\r\n'.repeat(5_000)),
  'an endless error response': () => over(head('500 No'), 'x'.repeat(65_536)),
  'an error response with 50,000 levels': () => [head('400 No'), nested(50_000, '{"error":', '}', '1')],
  'half a million characters at once': () => over(head(), says('and on and on. '.repeat(33_000)), 1),
  'a fence of 400,000 backticks': () => over(head(), says('`'.repeat(400_000)), 1),
  '100 KB of nested fences': () => over(head(), says('```\n```json\n~~~\n'.repeat(6_500)), 1),
  'a state block with 50,000 levels': () =>
    over(head(), says(`You wait.\n\`\`\`state_delta\n${nested(50_000, '{"a":', '}', '1')}\n\`\`\``), 1),
}

/**
 * The longest wait of another request during each attack, as the minimum of three runs because the machine is busy with
 * other things, and the maximum growth of the service's memory.
 */
export async function limits(): Promise<Record<string, Record<string, string>>> {
  await using hostile = await startHostile()
  await using service = await startUnderAttack()
  await service.send('PUT', '/api/settings', { endpoint_url: hostile.url, model: 'm', loop_guard: false })
  const rows: Record<string, Record<string, string>> = {}
  const measure = async (name: string, work: () => Promise<unknown>) => {
    const times = []
    for (let i = 0; i < 3; i++) times.push(await monitor(service, work))
    rows[name] = {
      'worst wait of another request': `${Math.min(...times.map(({ worst }) => worst)).toFixed(0)} ms`,
      'memory grew by': `${Math.max(...times.map(({ growth }) => growth)).toFixed(0)} MiB`,
      'other responses': String(times[0]?.answered),
    }
  }
  await measure('nothing', () => Bun.sleep(500))
  for (const [name, bytes] of Object.entries(REPLIES)) {
    hostile.respond = (line) => (/completions /.test(line) ? bytes() : null)
    await measure(name, async () => service.turn(await service.begin()))
  }
  hostile.respond = (line) => (/completions /.test(line) ? silentAfter(head()) : null)
  await measure('200 turns open', () => manyTurns(service))
  await measure('200 pages at once', () => manyPages(service))
  await measure('100 request bodies, one byte at a time', () => slowBodies(service))
  await measure('a body with 50,000 levels', () =>
    service.send('POST', '/api/scenarios', `{"stat_schema":${nested(50_000, '{"a":', '}', '1')}}`),
  )
  await measure('a 15 MB file of brackets', () => service.send('POST', '/api/import', '['.repeat(15_000_000)))
  return rows
}

async function* silentAfter(first: string): AsyncGenerator<string> {
  yield first
  await new Promise<never>(() => {})
}

async function manyTurns(service: ServiceUnderAttack): Promise<void> {
  const leaving = new AbortController()
  for (let i = 0; i < 200; i++)
    await fetch(new URL(`/api/adventures/${await service.begin(false)}/actions`, service.address), {
      method: 'POST',
      body: '{"type":"continue"}',
      headers: { 'Content-Type': 'application/json' },
      signal: leaving.signal,
    })
  await Bun.sleep(1_000)
  leaving.abort()
  await Bun.sleep(500)
}

async function manyPages(service: ServiceUnderAttack): Promise<void> {
  const id = await service.begin()
  const page = new URL(`/adventures/${id}`, service.address)
  await Promise.all(Array.from({ length: 200 }, async () => (await fetch(page)).text()))
}

async function slowBodies(service: ServiceUnderAttack): Promise<void> {
  const { host, port } = new URL(service.address)
  const request = `POST /api/scenarios HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 2000000\r\n\r\n`
  const open = () =>
    new Promise<Socket>((opened) => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(request, () => opened(socket)))
    })
  const slow = await Promise.all(Array.from({ length: 100 }, open))
  for (let byte = 0; byte < 20; byte++) {
    for (const socket of slow) socket.write(' ')
    await Bun.sleep(50)
  }
  for (const socket of slow) socket.destroy()
}

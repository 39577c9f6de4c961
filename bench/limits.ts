import { connect, type Socket } from 'node:net'
import { type Besieged, besiege, watched } from '../test/support/service/under-attack.ts'
import { type Bytes, head, nested, over, says, startHostile, thinks } from '../test/support/endpoint/hostile-server.ts'

/** What a model server sends, and what a client does, to keep the service from everybody else. */
const REPLIES: Record<string, () => Bytes> = {
  'a good reply': () => over(head(), says('The lamp burns low.'), 1),
  'words without end': () => over(head(), says('and on ').repeat(500)),
  'thoughts without end': () => over(head(), thinks('and on ').repeat(500)),
  'a line of 1 GB': () => over(head(), 'x'.repeat(65_536), 16_384),
  '10 MB of comments': () => over(head(), ': ping\n'.repeat(7_500), 200),
  'answers of 100 without end': () => over('', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(2_000)),
  'headers without end': () => over('HTTP/1.1 200 OK\r\n', 'x-a: b\r\n'.repeat(5_000)),
  'a refusal without end': () => over(head('500 No'), 'x'.repeat(65_536)),
  'a refusal of 50,000 levels': () => [head('400 No'), nested(50_000, '{"error":', '}', '1')],
  'half a million letters at once': () => over(head(), says('and on and on. '.repeat(33_000)), 1),
  'a fence of 400,000 marks': () => over(head(), says('`'.repeat(400_000)), 1),
  '100 KB of nested fences': () => over(head(), says('```\n```json\n~~~\n'.repeat(6_500)), 1),
  '50,000 levels of changes': () =>
    over(head(), says(`You wait.\n\`\`\`state_delta\n${nested(50_000, '{"a":', '}', '1')}\n\`\`\``), 1),
}

/**
 * The longest that another request had to wait during each attack, of three times the shortest, because the machine has
 * other things to do; and by how much the memory of the service grew at the most.
 */
export async function limits(): Promise<Record<string, Record<string, string>>> {
  await using hostile = await startHostile()
  await using service = await besiege()
  await service.send('PUT', '/api/settings', { endpoint_url: hostile.url, model: 'm' })
  const rows: Record<string, Record<string, string>> = {}
  const measure = async (name: string, work: () => Promise<unknown>) => {
    const times = []
    for (let i = 0; i < 3; i++) times.push(await watched(service, work))
    rows[name] = {
      'worst wait of another request': `${Math.min(...times.map(({ worst }) => worst)).toFixed(0)} ms`,
      'memory grew by': `${Math.max(...times.map(({ growth }) => growth)).toFixed(0)} MiB`,
      'others answered': String(times[0]?.answered),
    }
  }
  await measure('nothing', () => Bun.sleep(500))
  for (const [name, bytes] of Object.entries(REPLIES)) {
    hostile.answer = (line) => (/completions /.test(line) ? bytes() : null)
    await measure(name, async () => service.turn(await service.begin()))
  }
  hostile.answer = (line) => (/completions /.test(line) ? silentAfter(head()) : null)
  await measure('200 turns open', () => manyTurns(service))
  await measure('200 pages at once', () => manyPages(service))
  await measure('100 bodies, a byte at a time', () => slowBodies(service))
  await measure('a body of 50,000 levels', () =>
    service.send('POST', '/api/scenarios', `{"stat_schema":${nested(50_000, '{"a":', '}', '1')}}`),
  )
  await measure('a file of 15 MB of brackets', () =>
    service.send('POST', '/api/import', '['.repeat(15_000_000)),
  )
  return rows
}

async function* silentAfter(first: string): AsyncGenerator<string> {
  yield first
  await new Promise<never>(() => {})
}

async function manyTurns(service: Besieged): Promise<void> {
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

async function manyPages(service: Besieged): Promise<void> {
  const id = await service.begin()
  const page = new URL(`/adventures/${id}`, service.address)
  await Promise.all(Array.from({ length: 200 }, async () => (await fetch(page)).text()))
}

async function slowBodies(service: Besieged): Promise<void> {
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

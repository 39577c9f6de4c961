import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The service as a process of its own, whose memory can be looked at. It ends when it is disposed of. */
export interface Besieged extends AsyncDisposable {
  address: string
  /** Sends JSON, or a text as it is, and reads JSON back. */
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire
  send(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }>
  /** Begins a story, with something to count in it or without, and gives its number. */
  begin(counted?: boolean): Promise<number>
  /** Plays a turn and gives its last event. */
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire
  turn(id: number, signal?: AbortSignal): Promise<any>
  /** MiB that it holds in memory. */
  resident(): number
}

/** What was seen of a service while something was done to it. */
export interface Watched<T> {
  outcome: T
  /** Other requests that were asked and answered meanwhile. */
  answered: number
  /** Milliseconds that the slowest of them took. */
  worst: number
  /** MiB by which the memory had grown at the most. */
  growth: number
}

/** Starts the service on a library of its own. */
export async function besiege(env: Record<string, string> = {}): Promise<Besieged> {
  const folder = mkdtempSync(join(tmpdir(), 'inglenook-'))
  const child = Bun.spawn([process.execPath, join(import.meta.dir, '../../../src/index.ts')], {
    env: { PATH: process.env.PATH ?? '', APP_PORT: '0', APP_DB_PATH: join(folder, 'library.db'), ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const address = await addressIn(child.stdout)
  const ask = (method: string, path: string, body?: unknown, signal?: AbortSignal) =>
    fetch(new URL(path, address), {
      method,
      ...(signal ? { signal } : {}),
      ...(body === undefined
        ? {}
        : {
            body: typeof body === 'string' ? body : JSON.stringify(body),
            headers: { 'Content-Type': 'application/json' },
          }),
    })
  const send: Besieged['send'] = async (method, path, body) => {
    const answer = await ask(method, path, body)
    return { status: answer.status, body: await answer.json() }
  }
  const scenario = await send('POST', '/api/scenarios', {
    title: 'Lantern Rock',
    prompt: 'The lamp is lit.',
    stat_schema: { player: { warmth: { initial: 9, min: 0 } } },
  })
  return {
    address,
    send,
    begin: async (counted = true) => {
      const given = counted ? { scenario_id: scenario.body.id } : { title: 'Fog' }
      return (await send('POST', '/api/adventures', given)).body.id
    },
    turn: async (id, signal) => {
      const text = await (
        await ask('POST', `/api/adventures/${id}/actions`, { type: 'continue' }, signal)
      ).text()
      return JSON.parse(
        text
          .trim()
          .split('\n')
          .at(-1)
          ?.replace(/^data: /, '') ?? '',
      )
    },
    resident: () => residentOf(child.pid),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await child.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function addressIn(said: ReadableStream<Uint8Array>): Promise<string> {
  for await (const bytes of said as unknown as AsyncIterable<Uint8Array>) {
    const address = /http:\S+/.exec(new TextDecoder().decode(bytes))?.[0]
    if (address) return address
  }
  throw new Error('The service did not start.')
}

/** Looks at a service while something is done to it: asks it for something else all the time. */
export async function watched<T>(service: Besieged, work: () => Promise<T>): Promise<Watched<T>> {
  const before = service.resident()
  const seen = { answered: 0, worst: 0, growth: 0 }
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const asked = performance.now()
      await service.send('GET', '/api/health')
      seen.worst = Math.max(seen.worst, performance.now() - asked)
      seen.growth = Math.max(seen.growth, service.resident() - before)
      if (!isOver) seen.answered++
    }
  })()
  try {
    const outcome = await work()
    isOver = true
    await watching
    return { outcome, ...seen }
  } finally {
    isOver = true
  }
}

function residentOf(pid: number): number {
  if (process.platform === 'linux')
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  return Number(Bun.spawnSync(['ps', '-o', 'rss=', '-p', String(pid)]).stdout.toString()) / 1024
}

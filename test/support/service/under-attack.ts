import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programCommand } from './program-command.ts'

/** The service in its own process, whose memory can be measured. Disposing of it kills it. */
export interface ServiceUnderAttack extends AsyncDisposable {
  address: string
  /** Sends JSON, or a string verbatim, and reads JSON back. */
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire
  send(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }>
  /** Creates a story, with stats or without, and returns its id. */
  begin(hasStats?: boolean): Promise<number>
  /** Plays a turn and returns its last event. */
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire
  turn(id: number, signal?: AbortSignal): Promise<any>
  /** Resident memory in MiB. */
  resident(): number
}

/** How a service behaved during some work. */
export interface Monitored<T> {
  outcome: T
  /** Other requests that were answered in the meantime. */
  answered: number
  /** Milliseconds that the slowest of them took. */
  worst: number
  /** The most MiB by which memory grew. */
  growth: number
}

/** Starts the service with its own library. */
export async function startUnderAttack(env: Record<string, string> = {}): Promise<ServiceUnderAttack> {
  const folder = mkdtempSync(join(tmpdir(), 'inglenook-'))
  const child = Bun.spawn(programCommand(), {
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
  const send: ServiceUnderAttack['send'] = async (method, path, body) => {
    const response = await ask(method, path, body)
    return { status: response.status, body: await response.json() }
  }
  const scenario = await send('POST', '/api/scenarios', {
    title: 'Lantern Rock',
    prompt: 'The lamp is lit.',
    stat_schema: { player: { warmth: { initial: 9, min: 0 } } },
  })
  return {
    address,
    send,
    begin: async (hasStats = true) => {
      const fields = hasStats ? { scenario_id: scenario.body.id } : { title: 'Fog' }
      return (await send('POST', '/api/adventures', fields)).body.id
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

async function addressIn(output: ReadableStream<Uint8Array>): Promise<string> {
  for await (const bytes of output as unknown as AsyncIterable<Uint8Array>) {
    const address = /http:\S+/.exec(new TextDecoder().decode(bytes))?.[0]
    if (address) return address
  }
  throw new Error('The service did not start.')
}

/** Monitors a service during some work, by sending it other requests all the time. */
export async function monitor<T>(service: ServiceUnderAttack, work: () => Promise<T>): Promise<Monitored<T>> {
  const before = service.resident()
  const seen = { answered: 0, worst: 0, growth: 0 }
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const started = performance.now()
      await service.send('GET', '/api/health')
      seen.worst = Math.max(seen.worst, performance.now() - started)
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

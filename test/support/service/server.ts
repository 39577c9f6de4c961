import { afterAll } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../../src/config.ts'
import { type Outside, type Running, start } from '../../../src/start.ts'
import { loopback } from './loopback.ts'
import { mean } from '../endpoint/allowed-targets.ts'

/** A service with a library of its own, on a port of its own. */
export interface TestServer extends Running {
  /** Where the library lies. */
  path: string
  /** Sends JSON to the API and reads JSON back. */
  send(method: string, path: string, body?: unknown): Promise<Answer>
  get(path: string): Promise<Answer>
  post(path: string, body?: unknown): Promise<Answer>
  /** Asks for anything else, with headers of its own. */
  ask(path: string, init?: RequestInit): Promise<Response>
}

export interface Answer {
  status: number
  // The tests look at shapes that the API promises, not at types.
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire
  body: any
}

/** By default no test sees what is done in idle time. */
const LONG = 1_000_000

const running: (() => Promise<void>)[] = []

afterAll(async () => {
  for (const end of running.splice(0)) await end()
})

/** Starts a service for the tests of one file; it ends with them. */
export async function startServer(outside: Outside & Partial<Config> = {}): Promise<TestServer> {
  const { watch, narrator, now, rest = LONG, ...config } = outside
  const folder = mkdtempSync(join(tmpdir(), 'inglenook-'))
  const path = config.dbPath ?? join(folder, 'library.db')
  const service = await start(
    { ...loopback(path), ...config },
    { rest, ...(watch ? { watch } : {}), ...(narrator ? { narrator } : {}), ...(now ? { now } : {}) },
  )
  mean(service.address)
  running.push(async () => {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const ask = (to: string, init: RequestInit = {}) =>
    fetch(new URL(to, service.address), { redirect: 'manual', ...init })
  const send = async (method: string, to: string, body?: unknown): Promise<Answer> => {
    const answer = await ask(to, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) }
  }
  return {
    ...service,
    path,
    ask,
    send,
    get: (to) => send('GET', to),
    post: (to, body) => send('POST', to, body),
  }
}

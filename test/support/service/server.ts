import { afterAll } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../../src/config.ts'
import { type Running, type StartOptions, start } from '../../../src/start.ts'
import { allowTarget } from '../endpoint/allowed-targets.ts'
import { loopback } from './loopback.ts'

/** A service with its own library and port. */
export interface TestServer extends Running {
  /** The path of the library. */
  path: string
  /** Sends JSON to the API and reads JSON back. */
  send(method: string, path: string, body?: unknown): Promise<JsonResponse>
  get(path: string): Promise<JsonResponse>
  post(path: string, body?: unknown): Promise<JsonResponse>
  /** Sends any other request. */
  ask(path: string, init?: RequestInit): Promise<Response>
}

export interface JsonResponse {
  status: number
  // Tests check the shapes that the API promises, not types.
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire
  body: any
}

/** Milliseconds: by default, no test sees background work. */
const NEVER = 1_000_000

const running: (() => Promise<void>)[] = []

afterAll(async () => {
  for (const end of running.splice(0)) await end()
})

/** Starts a service for the tests of one file. It is stopped after them. */
export async function startServer(options: StartOptions & Partial<Config> = {}): Promise<TestServer> {
  const {
    watch,
    narrator,
    now,
    engine,
    practicePace = 0,
    idleDelay = NEVER,
    idleTimeout,
    ...config
  } = options
  const folder = mkdtempSync(join(tmpdir(), 'inglenook-'))
  const path = config.dbPath ?? join(folder, 'library.db')
  const service = await start(
    { ...loopback(path), ...config },
    {
      idleDelay,
      // A busy machine takes long, and no test is about that.
      queryTimeout: NEVER,
      practicePace,
      ...(idleTimeout === undefined ? {} : { idleTimeout }),
      ...(watch ? { watch } : {}),
      // The first page looks for servers; those of this machine are no part of a test.
      narrator: { ports: [], ...narrator },
      ...(now ? { now } : {}),
      // No test gets the engine from the package registry.
      engine: { registry: 'http://127.0.0.1:1/', ...engine },
    },
  )
  allowTarget(service.address)
  // Scripted replies repeat one another.
  service.deps.library.write((tx) => tx.run('UPDATE settings SET loop_guard = 0'))
  running.push(async () => {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const ask = (to: string, init: RequestInit = {}) =>
    fetch(new URL(to, service.address), { redirect: 'manual', ...init })
  const send = async (method: string, to: string, body?: unknown): Promise<JsonResponse> => {
    const response = await ask(to, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? null : JSON.parse(text) }
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

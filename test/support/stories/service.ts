import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Running, start } from '../../../src/start.ts'
import { allowTarget } from '../endpoint/allowed-targets.ts'
import { type ScriptedEndpoint, startEndpoint } from '../endpoint/endpoint.ts'
import { openLibrary } from '../library/open.ts'
import { loopback } from '../service/loopback.ts'
import type { JsonResponse } from '../service/server.ts'

/** Milliseconds per second, so that the shortest timeout passes quickly. */
const SECOND = 2
export const PATIENT = 3_600
export const IMPATIENT = 10

/** A service with its own library and model server, which can be restarted. */
export interface StoryService {
  readonly endpoint: ScriptedEndpoint
  readonly running: Running
  ask(path: string, init?: RequestInit): Promise<Response>
  /** Sends JSON to the API and reads JSON back. */
  send(method: string, path: string, body?: unknown): Promise<JsonResponse>
  /** Sends a form as a page does, or as htmx does. */
  submit(path: string, fields: Record<string, string>, asFragment: boolean): Promise<JsonResponse>
  /** Restarts it on the same file; `looksInto` opens the library in between. */
  restart(looksInto: boolean): Promise<void>
  close(): Promise<void>
}

/** Starts a service on a file in memory if possible. */
export async function startStoryService(): Promise<StoryService> {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'inglenook-'))
  const path = join(folder, 'library.db')
  const endpoint = await startEndpoint()
  const begin = async () => {
    const started = await start(loopback(path), {
      idleDelay: 1_000_000,
      narrator: { msPerSecond: SECOND, connectTimeout: PATIENT },
    })
    allowTarget(started.address)
    // Until then nothing is written, and what was asked of the model is lost.
    return started
  }
  let running = await begin()
  const ask = (to: string, init: RequestInit = {}) =>
    fetch(new URL(to, running.address), { redirect: 'manual', ...init })
  const send = async (method: string, to: string, body?: unknown): Promise<JsonResponse> => {
    const sent =
      body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
    const answer = await ask(to, { method, ...sent })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) }
  }
  await send('PUT', '/api/settings', {
    endpoint_url: endpoint.url,
    model: 'teller',
    summary_model: 'noter',
    loop_guard: false,
    read_timeout_seconds: PATIENT,
  })
  return {
    endpoint,
    get running() {
      return running
    },
    ask,
    send,
    submit: async (to, fields, asFragment) => {
      const answer = await ask(to, {
        method: 'POST',
        body: new URLSearchParams(fields),
        headers: asFragment ? { 'HX-Request': 'true' } : {},
      })
      return { status: answer.status, body: await answer.text() }
    },
    restart: async (looksInto) => {
      await running.stop()
      if (looksInto) openLibrary(path).close()
      running = await begin()
    },
    close: async () => {
      await running.stop()
      await endpoint.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

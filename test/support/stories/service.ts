import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLibrary } from '../../../src/db/open.ts'
import { type Running, start } from '../../../src/start.ts'
import { type ScriptedEndpoint, startEndpoint } from '../endpoint/endpoint.ts'
import { loopback } from '../service/loopback.ts'
import { mean } from '../endpoint/allowed-targets.ts'
import type { Answer } from '../service/server.ts'

/** Seconds are short: a model that is silent for the shortest time that can be set is so for a moment. */
const SECOND = 2
export const PATIENT = 3_600
export const IMPATIENT = 10

/** A service with a library and a model of its own, which can be stopped and started again. */
export interface StoryService {
  readonly endpoint: ScriptedEndpoint
  readonly running: Running
  ask(path: string, init?: RequestInit): Promise<Response>
  /** Sends JSON to the API and reads JSON back. */
  send(method: string, path: string, body?: unknown): Promise<Answer>
  /** Sends a form as a page does, or as htmx does. */
  submit(path: string, fields: Record<string, string>, asFragment: boolean): Promise<Answer>
  /** Stops it and starts it on the same file; `looksInto` opens the library in between. */
  restart(looksInto: boolean): Promise<void>
  close(): Promise<void>
}

/** Starts a service on a file in memory, where there is such a place. */
export async function startStoryService(): Promise<StoryService> {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'inglenook-'))
  const path = join(folder, 'library.db')
  const endpoint = await startEndpoint()
  const begin = async () => {
    const started = await start(loopback(path), {
      rest: 1_000_000,
      narrator: { second: SECOND, connectTimeout: PATIENT },
    })
    mean(started.address)
    return started
  }
  let running = await begin()
  const ask = (to: string, init: RequestInit = {}) =>
    fetch(new URL(to, running.address), { redirect: 'manual', ...init })
  const send = async (method: string, to: string, body?: unknown): Promise<Answer> => {
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
    second_call: 'off',
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

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drawFrom } from '../src/practice/seeded-random.ts'
import { start } from '../src/start.ts'
import { loopback } from '../test/support/service/loopback.ts'
import { median } from './median.ts'
import { startSlowServer } from './slow-server.ts'
import { words } from './turn-player.ts'

const TURNS = 40
/** Seconds that the player reads between two turns. */
const PAUSE = 15

/**
 * Plays the first starter scenario, with the recorder on, on a machine that reads 20 tokens a second and writes 8, in real
 * time (20 minutes). Memories and the summary must come nevertheless.
 */
export async function slowMachine(): Promise<Record<string, string | number>> {
  const draw = drawFrom(7)
  const prose = () => `The lamp on the ${words(draw, 3)} burns, and somebody calls your name from the water. `
  const server = startSlowServer({ read: 20, write: 8 }, (task, body) => {
    if ('response_format' in body || 'json_schema' in body) return '{"edits": []}'
    return task.includes('[Leave the story') ? prose().repeat(2) : prose().repeat(3)
  })
  const folder = mkdtempSync(join(tmpdir(), 'inglenook-slow-'))
  const service = await start(loopback(join(folder, 'l.db')))
  const ask = async (method: string, path: string, body?: object) => {
    const init = body ? { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } } : {}
    return fetch(new URL(path, service.address), { method, ...init })
  }
  const endpoint_url = `http://127.0.0.1:${server.port}/v1`
  await ask('PUT', '/api/settings', { endpoint_url, model: 'slow', loop_guard: false })
  await ask('POST', '/api/adventures', { scenario_id: 1, placeholders: {} })
  const firsts: number[] = []
  for (let turn = 0; turn < TURNS; turn++) {
    const began = performance.now()
    const line = { type: 'do', text: `look for the ${words(draw, 4)}` }
    const played = await ask('POST', '/api/adventures/1/actions', line)
    firsts.push((await secondsToText(played, began)) ?? Number.NaN)
    await Bun.sleep(1_000 * PAUSE)
  }
  const memories = (await (await ask('GET', '/api/adventures/1/memories')).json()) as object[]
  const story = (await (await ask('GET', '/api/adventures/1')).json()) as {
    story_summary: string
    actions: { state?: string }[]
  }
  await service.stop()
  await server.stop(true)
  rmSync(folder, { recursive: true })
  return {
    memories: memories.length,
    'words of the summary': story.story_summary.split(/\s+/).filter(Boolean).length,
    'seconds to the first text, median': median(firsts).toFixed(1),
    'longest after the first turn': Math.max(...firsts.slice(1)).toFixed(1),
  }
}

/** Seconds from the request to the first piece of prose. Reads until the text is stored, and lets the rest arrive. */
async function secondsToText(response: Response, began: number): Promise<number | null> {
  let first: number | null = null
  const decoder = new TextDecoder()
  const reader = response.body?.getReader()
  for (let text = ''; ; ) {
    const next = await reader?.read()
    if (!next || next.done) return first
    text += decoder.decode(next.value, { stream: true })
    if (first === null && text.includes('"type":"chunk"')) first = (performance.now() - began) / 1_000
    if (/"type":"(told|done|error)"/.test(text)) {
      void drain(reader)
      return first
    }
  }
}

async function drain(reader: ReadableStreamDefaultReader | undefined): Promise<void> {
  for (;;) {
    const next = await reader?.read()
    if (!next || next.done) return
  }
}

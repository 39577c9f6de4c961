import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLibrary } from '../src/db/library/open.ts'
import { drawFrom } from '../src/practice/seeded-random.ts'
import { start } from '../src/start.ts'
import { say, startEndpoint } from '../test/support/endpoint/endpoint.ts'
import { loopback } from '../test/support/service/loopback.ts'
import { LANTERN_ROCK } from '../test/support/stories/worlds.ts'
import { median } from './median.ts'

const TURNS = 200
const CARDS = 60
const PER_TOKEN = 3.6
const NOTE = 'They went on along the road, and somebody waited for them.'

/**
 * Plays a long story against a scripted server and measures what a server with a prefix cache would have to process: how
 * much of each prompt repeats the previous prompt and reply. Compares it with the layout of the earlier release.
 */
export async function prefixReuse(replyLength: number): Promise<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'inglenook-prefix-'))
  const dbPath = join(folder, 'l.db')
  fill(dbPath, replyLength)
  await using endpoint = await startEndpoint()
  const service = await start(loopback(dbPath), { idleDelay: 0 })
  const ask = async (method: string, path: string, body?: object) => {
    const init = body ? { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } } : {}
    return (await fetch(new URL(path, service.address), { method, ...init })).text()
  }
  await ask('PUT', '/api/settings', {
    endpoint_url: endpoint.url,
    model: 'm',
    loop_guard: false,
    context_token_budget: 16_384,
  })
  // Background work may ask between any two turns.
  let told = ''
  endpoint.byDefault((exchange) => {
    const isTask = isTaskPrompt(promptOf(exchange.request.body?.messages ?? []))
    return say(isTask ? NOTE : told)(exchange)
  })
  const draw = drawFrom(11)
  const seen = { shares: [] as number[], read: 0, cuts: 0, retries: [] as number[], earlier: [] as number[] }
  // The cache of a server with one slot: the last prompt and its reply.
  let slot = ''
  let heard = 0
  /** The tokens that the server has to read for turns since it was last called. */
  const hear = (reply: string): number => {
    let turn = 0
    for (const { body } of endpoint.requests.slice(heard)) {
      const prompt = promptOf(body?.messages ?? [])
      const isTask = isTaskPrompt(prompt)
      const shared = commonLength(prompt, slot)
      const read = (prompt.length - shared) / PER_TOKEN
      if (slot !== '') seen.read += read
      if (slot !== '' && !isTask) seen.shares.push(shared / prompt.length)
      if (slot !== '' && !isTask && shared < prompt.length / 2) seen.cuts++
      if (!isTask) turn += read
      slot = `${prompt}<assistant>${isTask ? NOTE : reply}`
    }
    heard = endpoint.requests.length
    return turn
  }
  let earlier = ''
  let log = replyOf(0, 60_000, draw)
  for (let turn = 0; turn < TURNS; turn++) {
    told = replyOf(turn, replyLength, draw)
    await ask('POST', '/api/adventures/1/actions', { type: 'do', text: `go on to card${draw(CARDS)}` })
    hear(told)
    if (draw(10) === 0) {
      told = replyOf(turn + 1_000, replyLength, draw)
      await ask('POST', '/api/adventures/1/retry')
      seen.retries.push(hear(told))
    }
    log += `\n\n> You go on.\n\n${told}`
    const flat = earlierLayout(endpoint.requests.at(-1)?.body?.messages ?? [], log)
    if (earlier !== '') seen.earlier.push(commonLength(flat, earlier) / flat.length)
    earlier = flat + told
    if (draw(20) === 0) await ask('POST', '/api/adventures/1/undo')
    await service.deps.idle.ended()
    hear(told)
  }
  await service.stop()
  rmSync(folder, { recursive: true })
  return {
    'shared, mean': mean(seen.shares).toFixed(3),
    'shared, median': median(seen.shares).toFixed(3),
    'tokens to read, mean, memories and summaries included': (seen.read / TURNS).toFixed(0),
    'on a retry': `${mean(seen.retries).toFixed(0)} (64)`,
    'window cuts': String(seen.cuts),
    'the earlier layout, mean': mean(seen.earlier).toFixed(3),
  }
}

function replyOf(turn: number, length: number, draw: (below: number) => number): string {
  const prose = `Turn ${turn}. Near card${draw(CARDS)} the road bends, and somebody waits there for you. `
  const body = prose.repeat(Math.ceil(length / prose.length)).slice(0, length)
  return `${body}\n\n\`\`\`state_delta\n{"player.warmth": ${draw(3) - 1}, "world.sea": ${draw(3) - 1}}\n\`\`\``
}

function isTaskPrompt(prompt: string): boolean {
  return prompt.includes('[Leave the story')
}

function promptOf(messages: { role: string; content: string }[]): string {
  return messages.map(({ role, content }) => `<${role}>${content}\n`).join('')
}

/** The layout of the earlier release: current values and cards before the story, whose oldest words are dropped. */
function earlierLayout(messages: { role: string; content: string }[], log: string): string {
  const [system] = messages
  const live =
    messages
      .at(-1)
      ?.content.split('\n\n')
      .filter((text) => /^(\[World|World lore)/.test(text)) ?? []
  return `${system?.content}\n\n${live.join('\n\n')}\n\n${log.slice(-42_000)}`
}

function commonLength(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  let at = 0
  while (at < length && one.charCodeAt(at) === other.charCodeAt(at)) at++
  return at
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}

/** A story of a thousand actions, with stats and sixty cards that its prose triggers. */
function fill(path: string, replyLength: number): void {
  const library = openLibrary(path)
  const draw = drawFrom(5)
  library.write((tx) => {
    const time = '2026-01-01 00:00:00.000000'
    tx.insert('adventures', {
      title: 'Long',
      memory: 'The road is long. '.repeat(60),
      stat_schema: JSON.stringify(LANTERN_ROCK),
      created_at: time,
      updated_at: time,
      auto_summarize: true,
      memory_bank_enabled: true,
    })
    for (let card = 0; card < CARDS; card++)
      tx.insert('story_cards', {
        adventure_id: 1,
        keys: `card${card}`,
        entry: `Card ${card}: ${'an old tale of it. '.repeat(12)}`,
      })
    for (let index = 0; index < 1_000; index++)
      tx.run(
        'INSERT INTO actions (adventure_id, "index", type, text, created_at) VALUES (1, ?, ?, ?, ?)',
        index,
        index % 2 ? 'do' : 'ai',
        index % 2 ? '> You go on.' : (replyOf(index, replyLength, draw).split('\n\n')[0] ?? ''),
        time,
      )
    for (let index = 0; index + 6 < 1_000; index += 6)
      tx.run(
        'INSERT INTO memories (adventure_id, text, source_start, source_end, created_at) VALUES (1, ?, ?, ?, ?)',
        `Near card${draw(CARDS)} somebody waited for them, and they went on to card${draw(CARDS)}.`,
        index,
        index + 5,
        time,
      )
    tx.run(
      "INSERT INTO summaries (adventure_id, covers, text, made_by, created_at) VALUES (1, 990, 'They went far.', 'model', ?)",
      time,
    )
  })
  library.close()
}

import { type Draw, drawFrom } from '../src/practice/seeded-random.ts'
import {
  json,
  type ScriptedEndpoint,
  type Step,
  say,
  startEndpoint,
} from '../test/support/endpoint/endpoint.ts'

/** What the service added to each turn, in milliseconds. */
export interface PlayedTurns {
  /** From the player's request to the request that reached the model server. */
  first: number[]
  /** From the end of the model's reply to the end of ours. */
  done: number[]
}

export const EMBEDDING_MODEL = 'e'
const DIMENSIONS = 768
const TURNS = 30

/** Plays the first story of the service at `address`, with a model server whose replies cost nothing. */
async function play(endpoint: ScriptedEndpoint, address: string): Promise<PlayedTurns> {
  let arrived = 0
  let ended = 0
  const reply = say('The road goes on, and the lamps are lit one by one along the water. '.repeat(12))
  endpoint.byDefault(async (exchange) => {
    arrived = performance.now()
    await reply(exchange)
    ended = performance.now()
  })
  const played: PlayedTurns = { first: [], done: [] }
  const draw = drawFrom(5)
  for (let turn = 0; turn < TURNS; turn++) {
    const began = performance.now()
    const answer = await fetch(new URL('/api/adventures/1/actions', address), {
      method: 'POST',
      body: JSON.stringify({ type: 'do', text: `look for ${words(draw, 6)}` }),
      headers: { 'Content-Type': 'application/json' },
    })
    await answer.text()
    played.done.push(performance.now() - ended)
    played.first.push(arrived - began)
    await Bun.sleep(20)
  }
  return played
}

/** Answers with vectors that depend on the texts alone. */
function embedding(): Step {
  return (exchange) => {
    const texts = exchange.request.body?.input ?? []
    const data = texts.map((text, index) => ({
      index,
      embedding: [...vectorFor(drawFrom(Number(Bun.hash.xxHash32(text))))],
    }))
    return json(200, { data })(exchange)
  }
}

export function vectorFor(draw: Draw): Float32Array {
  const vector = Float32Array.from({ length: DIMENSIONS }, () => draw(2_001) / 1_000 - 1)
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

export function words(draw: Draw, count: number): string {
  return Array.from({ length: count }, () => `w${draw(4_000)}x`).join(' ')
}

// Sends the address of its model server, and plays when it gets that of the service.
if (!Bun.isMainThread) {
  const endpoint = await startEndpoint()
  endpoint.embedWith(embedding())
  globalThis.onmessage = ({ data }: MessageEvent<string>) => void play(endpoint, data).then(postMessage)
  postMessage(endpoint.url)
}

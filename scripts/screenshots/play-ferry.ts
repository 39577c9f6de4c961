import { type ScriptedEndpoint, say } from '../../test/support/endpoint/endpoint.ts'
import { FERRY } from './ferry.ts'

/** Plays "The Last Ferry to Saltmere" in a library, and gives the id of the story. */
export async function playFerry(address: string, narrator: ScriptedEndpoint): Promise<number> {
  const send = sender(address)
  await send('PUT', '/api/settings', { endpoint_url: narrator.url, model: 'house-model', second_call: 'off' })
  const { id } = (await (await send('POST', '/api/adventures', { scenario_id: 2 })).json()) as { id: number }
  for (const { type, text, variants } of FERRY)
    for (const [number, variant] of variants.entries()) {
      const block = `\n\n\`\`\`state_delta\n${JSON.stringify(variant.changes)}\n\`\`\``
      narrator.next(say(variant.text + block))
      const [operation, body] = number === 0 ? ['actions', { type, text }] : ['retry', {}]
      await (await send('POST', `/api/adventures/${id}/${operation}`, body)).text()
    }
  return id
}

/** Sends JSON to the API of a service, and throws what it refuses. */
export function sender(address: string) {
  return async (method: string, path: string, body: unknown): Promise<Response> => {
    const answer = await fetch(new URL(path, address), {
      method,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
    return answer
  }
}

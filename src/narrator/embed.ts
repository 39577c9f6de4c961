import { StoryError } from '../domain/errors.ts'
import type { Endpoint } from '../domain/model/model-request.ts'
import { bodyText } from './connect/body-text.ts'
import { field, listOf, parseJson } from './json.ts'
import { hostOf } from './policy.ts'
import { isSuccess, type Wire } from './wire.ts'

/**
 * Asks for the vectors of some texts, in their order. Throws provider_error for anything that is not one vector for each
 * text, endpoint_refused, and the signal's reason.
 */
export async function embed(
  wire: Wire,
  endpoint: Endpoint,
  model: string,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const body = JSON.stringify({ model, input: texts })
  const answer = await wire.ask(endpoint, { method: 'POST', path: '/embeddings', body }, signal)
  const text = await bodyText(answer.body)
  const vectors = isSuccess(answer) ? vectorsIn(parseJson(text), texts.length) : null
  if (vectors) return vectors
  throw new StoryError(
    'provider_error',
    `${hostOf(endpoint)} gave no vectors for “${model}”. Look at the embedding model in Settings, or leave it empty: memories are found by their words too.`,
  )
}

function vectorsIn(json: unknown, count: number): Float32Array[] | null {
  const rows = listOf(field(json, 'data'))
  const ordered = rows
    .map((row, i) => ({ row, at: numberIn(field(row, 'index')) ?? i }))
    .sort((one, other) => one.at - other.at)
    .map(({ row }) => listOf(field(row, 'embedding')))
  const isSound = (vector: readonly unknown[]) =>
    vector.length > 0 && vector.every((value) => Number.isFinite(value))
  if (ordered.length !== count || !ordered.every(isSound)) return null
  return ordered.map((vector) => Float32Array.from(vector as number[]))
}

function numberIn(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

import { StoryError } from '../../domain/errors.ts'
import type { EmbeddingModel } from '../../domain/recall/embedded-text.ts'
import { parseJson } from '../../lib/json.ts'
import { ConnectionError } from '../connect/connection-error.ts'
import type { EndpointContext } from '../connect/endpoint-connection.ts'
import { bodyText, type HttpResponse, isSuccess } from '../connect/transport.ts'
import { connectionErrorSentence, statusSentence } from '../error-sentences.ts'
import { field, listOrEmpty, wholeNumber } from '../json-fields.ts'
import { hostOf } from '../policy/endpoint-url.ts'

/**
 * Embeds texts, in order. Throws provider_error without one vector for each text, endpoint_refused, and the signal's
 * reason.
 */
export async function embed(
  { connection, endpoint, signal }: EndpointContext,
  embeddingModel: EmbeddingModel,
  texts: readonly string[],
): Promise<Float32Array[]> {
  const request = {
    method: 'POST',
    path: '/embeddings',
    body: JSON.stringify({ ...embeddingModel, input: texts }),
  } as const
  try {
    const response = await connection.send(endpoint, request, signal)
    const body = await bodyText(response.body)
    const vectors = isSuccess(response) ? vectorsIn(parseJson(body), texts.length) : null
    if (vectors) return vectors
    throw new StoryError(
      'provider_error',
      refusalSentence(response, body, hostOf(endpoint), embeddingModel.model),
    )
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof ConnectionError)) throw error
    throw new StoryError('provider_error', connectionErrorSentence(error, hostOf(endpoint)))
  }
}

const ADVICE =
  'Check the embedding model and its server in Settings, or leave the model empty: memories are then found by their words alone.'

function refusalSentence(response: HttpResponse, body: string, host: string, model: string): string {
  if (isSuccess(response)) return `${host} returned no embeddings for “${model}”. ${ADVICE}`
  const { status, headers } = response
  return `${statusSentence({ status, headers, body }, host, model)} ${ADVICE}`
}

function vectorsIn(json: unknown, count: number): Float32Array[] | null {
  const rows = listOrEmpty(field(json, 'data'))
  const ordered = rows
    .map((row, i) => ({ row, index: wholeNumber(field(row, 'index')) ?? i }))
    .sort((one, other) => one.index - other.index)
    .map(({ row }) => listOrEmpty(field(row, 'embedding')))
  const isVector = (values: readonly unknown[]) =>
    values.length > 0 && values.every((value) => Number.isFinite(value))
  if (ordered.length !== count || !ordered.every(isVector)) return null
  return ordered.map((vector) => Float32Array.from(vector as number[]))
}

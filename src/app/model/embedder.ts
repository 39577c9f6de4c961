import type { Endpoint } from '../../domain/model/model-request.ts'
import { type EmbeddedText, embeddedTextFor } from '../../domain/recall/embedded-text.ts'
import type { Settings } from '../../domain/settings.ts'
import { canAsk } from './ask-model.ts'

export interface Embedder {
  endpoint: Endpoint
  model: string
  form: EmbeddedText
}

/** Null without an embedding model, and with the practice narrator, which remembers nothing. */
export function embedderIn(settings: Settings): Embedder | null {
  const { embedding_model: model, read_timeout_seconds } = settings
  if (!canAsk(settings) || model === '') return null
  return {
    endpoint: { url: embeddingUrl(settings), read_timeout_seconds },
    model,
    form: embeddedTextFor(model),
  }
}

/** An address of its own, or that of the model. */
export function embeddingUrl({ embedding_endpoint_url, endpoint_url }: Settings): string {
  return embedding_endpoint_url || endpoint_url
}

import type { Endpoint, ModelRequest, ReplyPart } from '../../domain/model/model-request.ts'
import type { Deps } from '../deps.ts'

export interface SentRequest {
  endpoint: Endpoint
  request: ModelRequest
}

/** Streams a reply, and keeps in mind what the server has read with it. Throws as `Narrator.generate`. */
export async function* callModel(
  { narrator, promptCache, speeds, now }: Pick<Deps, 'narrator' | 'promptCache' | 'speeds' | 'now'>,
  { endpoint, request }: SentRequest,
  signal: AbortSignal,
): AsyncGenerator<ReplyPart> {
  const { model, messages } = request
  const prompt = { model, messages }
  promptCache.sent(endpoint.url, prompt)
  let reply = ''
  let began: number | null = null
  try {
    for await (const part of narrator.generate(endpoint, request, signal)) {
      if (part.kind === 'text') reply += part.text
      if (part.kind === 'text' || part.kind === 'thinking') began ??= now().getTime()
      if (part.kind === 'end' && began !== null)
        speeds.measureWriting(endpoint.url, part.usage?.completion_tokens ?? 0, now().getTime() - began)
      yield part
    }
  } finally {
    // For a reply that was stopped early, the server has read the prompt all the same.
    if (reply !== '') promptCache.answered(endpoint.url, prompt, reply)
  }
}

import type { Message } from '../../domain/model/model-request.ts'
import type { Deps } from '../deps.ts'
import { cutAt, type UnreadPart } from '../runtime/prompt-cache.ts'
import { callModel, type SentRequest } from './call-model.ts'

/** Characters of an estimated token. */
const PER_TOKEN = 3.6

/**
 * Lets a server read a prompt in the background, in pieces that it can break off soon, each a request for one token.
 * Leaves up to `rest` tokens unread; by default one piece, for the request that follows. Throws as a background call.
 */
export async function readInPieces(
  deps: Deps,
  { endpoint, request }: SentRequest,
  signal: AbortSignal,
  rest = deps.speeds.pieceSize(endpoint.url),
): Promise<void> {
  const { promptCache, speeds } = deps
  const { url } = endpoint
  for (let before = Number.POSITIVE_INFINITY; ; ) {
    using call = await deps.calls.enter(url, signal, 'background')
    const unread = promptCache.unread(url, request)
    if (unread.tokens <= rest || unread.tokens >= before) return
    before = unread.tokens
    const size = speeds.pieceSize(url)
    const messages = nextPiece(request.messages, unread, size)
    const started = deps.now().getTime()
    const piece = { ...request, messages, max_output_tokens: 1 }
    for await (const _ of callModel(deps, { endpoint, request: piece }, call.signal));
    speeds.measureReading(url, Math.min(size, unread.tokens), deps.now().getTime() - started)
  }
}

/** The prompt up to `size` tokens into its unread part. */
function nextPiece(
  messages: readonly Message[],
  { message, character }: UnreadPart,
  size: number,
): Message[] {
  let left = Math.round(size * PER_TOKEN)
  for (let i = message, from = character; i < messages.length; i++, from = 0) {
    const { text } = messages[i] ?? { text: '' }
    if (text.length - from > left) return cutAt(messages, i, from + left)
    left -= text.length - from
  }
  return [...messages]
}

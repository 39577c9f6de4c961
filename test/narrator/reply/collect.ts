import type { Endpoint, ModelRequest, ReplyPart } from '../../../src/domain/model/model-request.ts'
import { createNarrator, type NarratorOptions } from '../../../src/narrator/client.ts'
import { EndpointConnection } from '../../../src/narrator/connect/endpoint-connection.ts'
import { ModelCall } from '../../../src/narrator/request/model-call.ts'
import type { Server } from '../../../src/narrator/servers/server.ts'

/** The request for a short story. */
export const REQUEST: ModelRequest = {
  model: 'test-model',
  api_mode: 'chat',
  messages: [
    { role: 'system', text: 'You tell of a lighthouse.' },
    { role: 'user', text: 'I climb the stairs to the secret lamp.' },
  ],
  temperature: 0.8,
  max_output_tokens: 300,
  reasoning_max_tokens: 0,
}

/** A whole reply: its parts in order, consecutive ones of one kind joined, and the error that ended it. */
export interface CollectedReply {
  thinking: string
  text: string
  phases: string[]
  parts: ReplyPart[]
  error: unknown
}

/** Collects the parts of a reply up to the end or an error. */
export async function collect(
  parts: AsyncIterable<ReplyPart>,
  onPart: (part: ReplyPart) => void = () => {},
): Promise<CollectedReply> {
  const reply: CollectedReply = { thinking: '', text: '', phases: [], parts: [], error: null }
  try {
    for await (const part of parts) {
      append(reply, part)
      onPart(part)
    }
  } catch (error) {
    reply.error = error
  }
  return reply
}

/** Makes one call with short retry intervals. */
export function generate(
  endpoint: Partial<Endpoint> & { url: string },
  { request = {}, options = {}, signal = new AbortController().signal, onPart = () => {} }: CallOptions = {},
): Promise<CollectedReply> {
  const narrator = createNarrator({ retryEvery: 0.005, ...options })
  return collect(
    narrator.generate({ read_timeout_seconds: 10, ...endpoint }, { ...REQUEST, ...request }, signal),
    onPart,
  )
}

/** Returns a function that makes calls through one connection, as the service does, to a server of this kind. */
export function callerFor(server: Server, options: NarratorOptions = {}) {
  const quick = { retryEvery: 0.005, ...options }
  const connection = new EndpointConnection(quick)
  const never = new AbortController().signal
  return (
    endpoint: Partial<Endpoint> & { url: string },
    { request = {}, signal = never, onPart = () => {} }: Omit<CallOptions, 'options'> = {},
  ): Promise<CollectedReply> => {
    const context = { connection, endpoint: { read_timeout_seconds: 10, ...endpoint }, signal }
    return collect(new ModelCall(context, server, { ...REQUEST, ...request }, quick).parts(), onPart)
  }
}

interface CallOptions {
  request?: Partial<ModelRequest>
  options?: NarratorOptions
  signal?: AbortSignal
  onPart?: (part: ReplyPart) => void
}

function append(reply: CollectedReply, part: ReplyPart): void {
  if (part.kind === 'raw') return
  if (part.kind === 'phase') reply.phases.push(part.phase)
  if (part.kind === 'thinking') reply.thinking += part.text
  if (part.kind === 'text') reply.text += part.text
  if (part.kind === 'recast') {
    reply.thinking += reply.text
    reply.text = ''
  }
  const last = reply.parts.at(-1)
  if (last && 'text' in last && 'text' in part && last.kind === part.kind) last.text += part.text
  else reply.parts.push({ ...part })
}

import type { Endpoint, Piece, Telling } from '../../src/domain/model/model-request.ts'
import { createNarrator, type NarratorOptions } from '../../src/narrator/client.ts'
import type { Server } from '../../src/narrator/servers/server.ts'
import { Call } from '../../src/narrator/tell.ts'
import { Wire } from '../../src/narrator/wire.ts'

/** What a short story asks of the narrator. */
export const TELLING: Telling = {
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

/** All that came out of the narrator, in order, with pieces of one kind joined; and how it ended. */
export interface Told {
  thinking: string
  text: string
  phases: string[]
  pieces: Piece[]
  error: unknown
}

/** Reads pieces to their end or to their error. */
export async function collect(
  pieces: AsyncIterable<Piece>,
  seen: (piece: Piece) => void = () => {},
): Promise<Told> {
  const told: Told = { thinking: '', text: '', phases: [], pieces: [], error: null }
  try {
    for await (const piece of pieces) {
      take(told, piece)
      seen(piece)
    }
  } catch (error) {
    told.error = error
  }
  return told
}

/** Tells once and quickly: nothing waits for longer than a few hundredths of a second, but for what a test lets wait. */
export function tell(
  endpoint: Partial<Endpoint> & { url: string },
  { telling = {}, options = {}, signal = new AbortController().signal, seen = () => {} }: Asking = {},
): Promise<Told> {
  const narrator = createNarrator({ retryEvery: 0.005, ...options })
  return collect(
    narrator.tell({ read_timeout_seconds: 10, ...endpoint }, { ...TELLING, ...telling }, signal),
    seen,
  )
}

/** Tells as one process does, again and again, to a server with these ways. */
export function tellerOf(server: Server, options: NarratorOptions = {}) {
  const quick = { retryEvery: 0.005, ...options }
  const wire = new Wire(quick)
  const never = new AbortController().signal
  return (
    endpoint: Partial<Endpoint> & { url: string },
    { telling = {}, signal = never, seen = () => {} }: Omit<Asking, 'options'> = {},
  ): Promise<Told> => {
    const asked = { read_timeout_seconds: 10, ...endpoint }
    return collect(new Call(wire, asked, server, { ...TELLING, ...telling }, signal, quick).pieces(), seen)
  }
}

interface Asking {
  telling?: Partial<Telling>
  options?: NarratorOptions
  signal?: AbortSignal
  seen?: (piece: Piece) => void
}

function take(told: Told, piece: Piece): void {
  if (piece.kind === 'phase') told.phases.push(piece.phase)
  if (piece.kind === 'thinking') told.thinking += piece.text
  if (piece.kind === 'text') told.text += piece.text
  if (piece.kind === 'recast') {
    told.thinking += told.text
    told.text = ''
  }
  const last = told.pieces.at(-1)
  if (last && 'text' in last && 'text' in piece && last.kind === piece.kind) last.text += piece.text
  else told.pieces.push({ ...piece })
}

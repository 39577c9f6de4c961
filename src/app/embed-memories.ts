import type { Place } from '../db/actions.ts'
import { getEpoch } from '../db/tables/adventures.ts'
import { countVectors, keepVector, pendingVectors } from '../db/memory-vectors.ts'
import { getSettings } from '../db/tables/settings.ts'
import { normalised, type Query } from '../domain/recall/vectors.ts'
import { canAsk } from './ask-model.ts'
import type { Deps } from './deps.ts'
import { newestTexts } from './recall.ts'

const AT_ONCE = 32
/** Milliseconds that a turn waits for the vector of its words; without it memories are found by their words. */
const PATIENCE = 2_000
const LONGEST_QUERY = 3_000

/** Gives memories the vectors that they lack, those of another model anew. Throws the errors of the endpoint. */
export async function embedPending(
  deps: Deps,
  adventureId: number,
  signal: AbortSignal,
  tell: (what: string) => void,
) {
  const settings = getSettings(deps.library.reader)
  const { endpoint_url: url, embedding_model: model, read_timeout_seconds } = settings
  if (!canAsk(settings) || model === '') return
  for (;;) {
    const pending = pendingVectors(deps.library.reader, adventureId, model, AT_ONCE)
    if (pending.length === 0) return
    const { have, all } = countVectors(deps.library.reader, adventureId, model)
    tell(`Preparing memories for recall: ${have} of ${all}`)
    using turn = await deps.calls.enterBelow(url, signal)
    const texts = pending.map(({ text }) => text)
    const vectors = await deps.narrator.embed({ url, read_timeout_seconds }, model, texts, turn.signal)
    deps.library.write((tx) => {
      for (const [i, { id, text }] of pending.entries())
        keepVector(tx, id, text, model, normalised(vectors[i] ?? new Float32Array()))
    })
  }
}

/** The vector of the newest passages; null where none is needed, or none comes in time. */
export async function queryFor(
  deps: Deps,
  adventureId: number,
  before: Place | null,
  signal: AbortSignal,
): Promise<Query | null> {
  const { reader } = deps.library
  const settings = getSettings(reader)
  const { endpoint_url: url, embedding_model: model, read_timeout_seconds } = settings
  if (!canAsk(settings) || model === '') return null
  // All that is remembered still stands in the window, or has no vector: there is nothing to look for.
  if (!getEpoch(reader, adventureId).start || countVectors(reader, adventureId, model).have === 0) return null
  const { newest, line } = newestTexts(reader, adventureId, before)
  const limited = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)])
  try {
    using _ = await deps.calls.enter(url, limited)
    const text = [...newest, line].join('\n').slice(-LONGEST_QUERY)
    const [vector] = await deps.narrator.embed({ url, read_timeout_seconds }, model, [text], limited)
    return vector ? { model, vector: normalised(vector) } : null
  } catch {
    signal.throwIfAborted()
    return null
  }
}

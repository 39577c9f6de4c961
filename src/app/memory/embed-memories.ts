import { countVectors, hasVectors, pendingVectors, updateVector } from '../../db/search/memory-vectors.ts'
import type { ActionPosition } from '../../db/tables/actions/position.ts'
import { getEpoch } from '../../db/tables/adventures.ts'
import { getSettings } from '../../db/tables/settings.ts'
import { embeddedTurn, NEUTRAL_LINES } from '../../domain/recall/embedded-text.ts'
import { meanVector, normalised, type VectorQuery } from '../../domain/recall/vectors.ts'
import type { Deps } from '../deps.ts'
import { type Embedder, embedderIn } from '../model/embedder.ts'
import { newestTexts } from '../prompt/recall.ts'

/** Memories that are embedded in one request. */
const BATCH_SIZE = 32
/** Milliseconds that a turn waits for its query's vector. Without one, memories are found by their words alone. */
const QUERY_TIMEOUT = 2_000

/** Takes a description of the work in progress, for the player to see. */
export type ReportProgress = (description: string) => void

/** Embeds the memories that have no vector of the current embedding model. Throws the errors of the endpoint. */
export async function embedPending(
  deps: Deps,
  adventureId: number,
  signal: AbortSignal,
  report: ReportProgress,
): Promise<void> {
  const embedder = embedderIn(getSettings(deps.library.reader))
  if (embedder === null) return
  const { endpoint, model, form } = embedder
  for (;;) {
    const pending = pendingVectors(deps.library.reader, adventureId, form.name, BATCH_SIZE)
    if (pending.length === 0) return
    const { have, all } = countVectors(deps.library.reader, adventureId, form.name)
    report(`Preparing memories for recall: ${have} of ${all}`)
    using call = await deps.calls.enterBelow(endpoint.url, signal)
    const texts = pending.map(({ text }) => form.memory(text))
    const vectors = await deps.narrator.embed(endpoint, model, texts, call.signal)
    deps.library.write((tx) => {
      for (const [i, { id, text }] of pending.entries()) {
        const vector = normalised(vectors[i] ?? new Float32Array())
        updateVector(tx, id, { text, model: form.name, vector })
      }
    })
  }
}

/** What the next turn looks for, as vectors; null when nothing can be found by them, or they do not arrive in time. */
export async function recallQuery(
  deps: Deps,
  adventureId: number,
  before: ActionPosition | null,
  signal: AbortSignal,
): Promise<VectorQuery | null> {
  const { reader } = deps.library
  const embedder = embedderIn(getSettings(reader))
  if (embedder === null) return null
  // The prompt still holds every passage that memories cover, or no memory has a vector: there is nothing to find.
  if (!getEpoch(reader, adventureId).start || !hasVectors(reader, adventureId, embedder.form.name))
    return null
  const turn = embeddedTurn(newestTexts(reader, adventureId, before))
  const limited = AbortSignal.any([signal, AbortSignal.timeout(QUERY_TIMEOUT)])
  try {
    using _ = await deps.calls.enter(embedder.endpoint.url, limited)
    return await queryVectors(deps, embedder, turn, limited)
  } catch {
    signal.throwIfAborted()
    return null
  }
}

/** Embeds the line, the passage and the neutral lines in one request. */
async function queryVectors(
  deps: Deps,
  { endpoint, model, form }: Embedder,
  { line, passage }: ReturnType<typeof embeddedTurn>,
  signal: AbortSignal,
): Promise<VectorQuery> {
  const own = [line, passage].filter((text) => text !== '')
  const texts = [...own, ...NEUTRAL_LINES].map(form.query)
  const vectors = (await deps.narrator.embed(endpoint, model, texts, signal)).map(normalised)
  return {
    model: form.name,
    line: line === '' ? null : (vectors[0] ?? null),
    passages: passage === '' ? null : (vectors[own.length - 1] ?? null),
    neutral: meanVector(vectors.slice(own.length)),
  }
}

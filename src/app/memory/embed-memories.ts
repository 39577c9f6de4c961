import type { Writer } from '../../db/database.ts'
import { countVectors, pendingVectors, updateVector } from '../../db/search/memory-vectors.ts'
import { pendingPassages, upsertPassageVector } from '../../db/search/passage-vectors.ts'
import { getEpoch } from '../../db/tables/adventures.ts'
import { getSettings } from '../../db/tables/settings.ts'
import { embeddingModel, passageInContext } from '../../domain/recall/embedded-text.ts'
import { normalised } from '../../domain/recall/vectors.ts'
import type { Deps } from '../deps.ts'
import { type Embedder, embedderIn } from '../model/embedder.ts'
import { loadRecall } from '../prompt/load-recall.ts'

/** Texts that are embedded in one request. */
const BATCH_SIZE = 32

/** Takes a description of the work in progress, for the player to see. */
export type ReportProgress = (description: string) => void

/**
 * Embeds the memories that have no vector of the current embedding model, and the passages that the window no longer shows.
 * Throws the errors of the endpoint.
 */
export async function embedPending(
  deps: Deps,
  adventureId: number,
  signal: AbortSignal,
  report: ReportProgress,
): Promise<void> {
  const embedder = embedderIn(getSettings(deps.library.reader))
  if (embedder === null) return
  const work = { deps, adventureId, embedder, signal }
  for (;;) {
    const pending = pendingVectors(deps.library.reader, adventureId, embedder.form.name, BATCH_SIZE)
    if (pending.length === 0) break
    const { have, all } = countVectors(deps.library.reader, adventureId, embedder.form.name)
    report(`Preparing memories for recall: ${have} of ${all}`)
    await embedBatch(
      work,
      pending,
      ({ text }) => text,
      (tx, { id, text }, vector) => updateVector(tx, id, { text, ...vector }),
    )
  }
  await embedPassages(work, report)
}

interface EmbeddingWork {
  deps: Deps
  adventureId: number
  embedder: Embedder
  signal: AbortSignal
}

async function embedPassages(work: EmbeddingWork, report: ReportProgress): Promise<void> {
  const { deps, adventureId, embedder, signal } = work
  const { reader } = deps.library
  await loadRecall(reader, adventureId, signal)
  for (;;) {
    const wanted = {
      model: embedder.form.name,
      before: getEpoch(reader, adventureId).start ?? 0,
      limit: BATCH_SIZE,
    }
    const { passages, left, all } = pendingPassages(reader, adventureId, wanted)
    if (passages.length === 0) return
    report(`Preparing passages for recall: ${all - left} of ${all}`)
    await embedBatch(work, passages, passageInContext, (tx, passage, vector) =>
      upsertPassageVector(tx, adventureId, passage, vector),
    )
  }
}

/** Embeds a text of each in one request, and stores their vectors. */
async function embedBatch<Pending>(
  { deps, embedder: { endpoint, model, form }, signal }: EmbeddingWork,
  pending: readonly Pending[],
  textOf: (one: Pending) => string,
  store: (tx: Writer, one: Pending, vector: { model: string; vector: Float32Array }) => void,
): Promise<void> {
  using call = await deps.calls.enter(endpoint.url, signal, 'background')
  const texts = pending.map((one) => form.passage(textOf(one)))
  const vectors = await deps.narrator.embed(
    endpoint,
    embeddingModel(form, model, 'passage'),
    texts,
    call.signal,
  )
  deps.library.write((tx) => {
    for (const [i, one] of pending.entries())
      store(tx, one, { model: form.name, vector: normalised(vectors[i] ?? new Float32Array()) })
  })
}

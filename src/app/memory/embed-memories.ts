import type { Writer } from '../../db/database.ts'
import { countVectors, hasVectors, pendingVectors, updateVector } from '../../db/search/memory-vectors.ts'
import { hasPassageVectors, pendingPassages, upsertPassageVector } from '../../db/search/passage-vectors.ts'
import { getEpoch } from '../../db/tables/adventures.ts'
import { getSettings } from '../../db/tables/settings.ts'
import type { Story } from '../../domain/prompt/window.ts'
import {
  embeddedTurn,
  embeddingModel,
  NEUTRAL_LINES,
  passageInContext,
} from '../../domain/recall/embedded-text.ts'
import { meanVector, normalised, type VectorQuery } from '../../domain/recall/vectors.ts'
import type { Narrator } from '../../narrator/client.ts'
import type { Deps } from '../deps.ts'
import { type Embedder, embedderIn } from '../model/embedder.ts'
import { loadRecall } from '../prompt/load-recall.ts'
import { newestTexts } from '../prompt/recall.ts'

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
  using call = await deps.calls.enterBelow(endpoint.url, signal)
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

/** What the next turn of a story looks for, as vectors; null when nothing can be found by them, or they do not arrive in time. */
export async function recallQuery(
  deps: Deps,
  adventureId: number,
  story: Story,
  signal: AbortSignal,
): Promise<VectorQuery | null> {
  const { reader } = deps.library
  const embedder = embedderIn(getSettings(reader))
  if (embedder === null) return null
  // The prompt still holds every passage, or nothing has a vector: there is nothing to find.
  const { name } = embedder.form
  if (!getEpoch(reader, adventureId).start) return null
  if (!hasVectors(reader, adventureId, name) && !hasPassageVectors(reader, adventureId, name)) return null
  const turn = embeddedTurn(newestTexts(story))
  const limited = AbortSignal.any([signal, AbortSignal.timeout(deps.queryTimeout)])
  try {
    using _ = await deps.calls.enter(embedder.endpoint.url, limited)
    return await queryVectors(deps, embedder, turn, limited)
  } catch {
    signal.throwIfAborted()
    return null
  }
}

/** The mean vectors of the neutral lines, by server and model. */
const neutralVectors = new WeakMap<Narrator, Map<string, Float32Array>>()

/** Embeds the line, the passage and, for the first query of a model, the neutral lines in one request. */
async function queryVectors(
  { narrator }: Deps,
  { endpoint, model, form }: Embedder,
  { line, passage }: ReturnType<typeof embeddedTurn>,
  signal: AbortSignal,
): Promise<VectorQuery> {
  const known = neutralVectors.get(narrator) ?? new Map<string, Float32Array>()
  neutralVectors.set(narrator, known)
  const key = `${form.name} ${endpoint.url}`
  const own = [line, passage].filter((text) => text !== '')
  const texts = (known.has(key) ? own : [...own, ...NEUTRAL_LINES]).map(form.query)
  const asked = embeddingModel(form, model, 'query')
  const vectors = (await narrator.embed(endpoint, asked, texts, signal)).map(normalised)
  const neutral = known.get(key) ?? meanVector(vectors.slice(own.length))
  known.set(key, neutral)
  return {
    model: form.name,
    line: line === '' ? null : (vectors[0] ?? null),
    passages: passage === '' ? null : (vectors[own.length - 1] ?? null),
    neutral,
  }
}

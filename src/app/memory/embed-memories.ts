import { pendingTexts, upsertVector } from '../../db/search/text-vectors.ts'
import { getEpoch } from '../../db/tables/adventures.ts'
import { getSettings } from '../../db/tables/settings.ts'
import { embeddingModel, passageInContext } from '../../domain/recall/embedded-text.ts'
import { normalised } from '../../domain/recall/vectors.ts'
import type { Deps } from '../deps.ts'
import { embedderIn } from '../model/embedder.ts'
import { loadRecall } from '../prompt/load-recall.ts'

const BATCH_SIZE = 32

/** Takes a description of the work in progress, for the player to see. */
export type ReportProgress = (description: string) => void

/**
 * Embeds the texts that have no vector of the current embedding model: memories without passages of their own, and the passages
 * that the window no longer shows. Throws the errors of the endpoint.
 */
export async function embedPending(
  deps: Deps,
  adventureId: number,
  signal: AbortSignal,
  report: ReportProgress,
): Promise<void> {
  const { reader } = deps.library
  const embedder = embedderIn(getSettings(reader))
  if (embedder === null) return
  const { endpoint, model, form } = embedder
  const asked = embeddingModel(form, model, 'passage')
  await loadRecall(reader, adventureId, signal)
  for (;;) {
    const before = getEpoch(reader, adventureId).start ?? 0
    const pending = pendingTexts(reader, adventureId, { model: form.name, before, limit: BATCH_SIZE })
    if (pending.texts.length === 0) return
    report(`Preparing texts for recall: ${pending.all - pending.left} of ${pending.all}`)
    using call = await deps.calls.enter(endpoint.url, signal, 'background')
    const texts = pending.texts.map((text) => form.passage(passageInContext(text)))
    const vectors = await deps.narrator.embed(endpoint, asked, texts, call.signal)
    deps.library.write((tx) => {
      for (const [i, text] of pending.texts.entries())
        upsertVector(tx, adventureId, text, {
          model: form.name,
          vector: normalised(vectors[i] ?? new Float32Array()),
        })
    })
  }
}

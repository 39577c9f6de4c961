import type { Reader } from '../../db/database.ts'
import { hasVectors } from '../../db/search/text-vectors.ts'
import { getSettings } from '../../db/tables/settings.ts'
import type { Story } from '../../domain/prompt/window.ts'
import { embeddedLine, embeddingModel } from '../../domain/recall/embedded-text.ts'
import { lineTerms } from '../../domain/recall/line-terms.ts'
import { normalised, type VectorQuery } from '../../domain/recall/vectors.ts'
import type { Deps } from '../deps.ts'
import { type Embedder, embedderIn } from '../model/embedder.ts'
import { newestLine } from '../prompt/recall.ts'

/** The meaning of the newest line of a story; null when there is nothing to compare it with, or it does not arrive in time. */
export async function recallQuery(
  deps: Deps,
  adventureId: number,
  story: Story,
  signal: AbortSignal,
): Promise<VectorQuery | null> {
  const embedder = usefulEmbedder(deps.library.reader, adventureId)
  const line = newestLine(story)
  if (embedder === null || lineTerms(line).length === 0) return null
  const { endpoint, model, form } = embedder
  const limited = AbortSignal.any([signal, AbortSignal.timeout(deps.queryTimeout)])
  try {
    using _ = await deps.calls.enter(endpoint.url, limited)
    const asked = embeddingModel(form, model, 'query')
    const [vector] = await deps.narrator.embed(endpoint, asked, [form.query(embeddedLine(line))], limited)
    return vector ? { model: form.name, line: Float64Array.from(normalised(vector)) } : null
  } catch {
    signal.throwIfAborted()
    return null
  }
}

/** Null where no text has a vector: the window shows all passages, and the player wrote no memories. */
function usefulEmbedder(reader: Reader, adventureId: number): Embedder | null {
  const embedder = embedderIn(getSettings(reader))
  return embedder && hasVectors(reader, adventureId, embedder.form.name) ? embedder : null
}

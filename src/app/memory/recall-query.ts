import type { Reader } from '../../db/database.ts'
import { compareMemories, hasVectors } from '../../db/search/memory-vectors.ts'
import { hasPassageVectors } from '../../db/search/passage-vectors.ts'
import { getEpoch } from '../../db/tables/adventures.ts'
import { getSettings } from '../../db/tables/settings.ts'
import type { Story } from '../../domain/prompt/window.ts'
import { embeddedTurn, embeddingModel, NEUTRAL_LINES } from '../../domain/recall/embedded-text.ts'
import { meanVector, normalised, type VectorQuery } from '../../domain/recall/vectors.ts'
import type { Deps } from '../deps.ts'
import { type Embedder, embedderIn } from '../model/embedder.ts'
import { newestTexts } from '../prompt/recall.ts'
import { toldStory } from '../prompt/told-story.ts'

/** What the next turn of a story looks for, as vectors; null when nothing can be found by them, or they do not arrive in time. */
export async function recallQuery(
  deps: Deps,
  adventureId: number,
  story: Story,
  signal: AbortSignal,
): Promise<VectorQuery | null> {
  const embedder = usefulEmbedder(deps.library.reader, adventureId)
  if (embedder === null) return null
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

/**
 * Embeds what the next turn looks for besides its line, and compares it with the memories, so that the turn waits only for
 * its line. Throws as a background call.
 */
export async function queryAhead(
  deps: Deps,
  { adventureId, signal }: { adventureId: number; signal: AbortSignal },
): Promise<void> {
  const { reader } = deps.library
  const embedder = usefulEmbedder(reader, adventureId)
  if (embedder === null) return
  const { passage } = embeddedTurn(newestTexts(toldStory(reader, adventureId, null)))
  using call = await deps.calls.enter(embedder.endpoint.url, signal, 'background')
  const query = await queryVectors(deps, embedder, { line: '', passage }, call.signal)
  compareMemories(reader, adventureId, query)
}

/** Null while the prompt still holds every passage, or nothing has a vector: there is nothing to find. */
function usefulEmbedder(reader: Reader, adventureId: number): Embedder | null {
  const embedder = embedderIn(getSettings(reader))
  if (embedder === null || !getEpoch(reader, adventureId).start) return null
  const { name } = embedder.form
  return hasVectors(reader, adventureId, name) || hasPassageVectors(reader, adventureId, name)
    ? embedder
    : null
}

/** Embeds in one request the line, and what is not known: the passage, and for the first query of a model the neutral lines. */
async function queryVectors(
  { narrator, queryVectors: vectors }: Deps,
  { endpoint, model, form }: Embedder,
  { line, passage }: ReturnType<typeof embeddedTurn>,
  signal: AbortSignal,
): Promise<VectorQuery> {
  const { neutral, passages } = vectors.of(form.name)
  const isUnknown = passage !== '' && !passages.has(passage)
  const own = [...(line === '' ? [] : [line]), ...(isUnknown ? [passage] : [])]
  const texts = neutral ? own : [...own, ...NEUTRAL_LINES]
  const asked = embeddingModel(form, model, 'query')
  const answer =
    texts.length === 0 ? [] : await narrator.embed(endpoint, asked, texts.map(form.query), signal)
  const embedded = answer.map(normalised)
  const last = embedded[own.length - 1]
  if (isUnknown && last) vectors.keepPassage(form.name, passage, last)
  return {
    model: form.name,
    line: line === '' ? null : (embedded[0] ?? null),
    passages: passages.get(passage) ?? null,
    neutral: neutral ?? vectors.keepNeutral(form.name, meanVector(embedded.slice(own.length))),
  }
}

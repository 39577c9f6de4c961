import { type Static, Type } from '@sinclair/typebox'
import { getSavedSettings } from '../../db/tables/settings.ts'
import { StoryError } from '../../domain/errors.ts'
import { embeddedTextFor, embeddingModel } from '../../domain/recall/embedded-text.ts'
import type { Settings } from '../../domain/settings.ts'
import type { Deps } from '../deps.ts'
import { embeddingUrl } from './embedder.ts'
import { FailedTest, failedTest } from './failed-test.ts'
import { repairedAddress } from './settings.ts'

/** `advice` says how the address was or can be fixed. */
export const EmbeddingTest = Type.Union([
  Type.Object({
    ok: Type.Literal(true),
    dimensions: Type.Integer({ description: 'Numbers in each vector' }),
    advice: Type.Optional(Type.String({ description: 'How the address was corrected' })),
  }),
  FailedTest,
])

export type EmbeddingTest = Static<typeof EmbeddingTest>

/** A loaded model embeds a few words at once; a large one may have to be loaded first. */
const SECONDS = 30

/** Embeds a few words with the model in the settings, or with `tried` before it is saved. Changes nothing and never throws. */
export async function testEmbeddings(
  deps: Deps,
  tried: Partial<Settings> = {},
  signal = new AbortController().signal,
): Promise<EmbeddingTest> {
  try {
    const pasted = tried.embedding_endpoint_url ?? ''
    const { url: own, changed, advice } = await repairedAddress(deps, pasted, signal)
    const settings = { ...getSavedSettings(deps.library.reader), ...tried }
    const url = embeddingUrl(own === '' ? settings : { ...settings, embedding_endpoint_url: own })
    assertComplete(settings.embedding_model, url)
    const endpoint = { url, read_timeout_seconds: SECONDS }
    const { embedding_model: model } = settings
    const asked = embeddingModel(embeddedTextFor(model), model, 'passage')
    using _ = await deps.calls.enter(url, signal)
    const vectors = await deps.narrator.embed(endpoint, asked, ['A lamp burns.'], signal)
    const allAdvice = [changed, advice].filter(Boolean).join(' ')
    const dimensions = vectors[0]?.length ?? 0
    return { ok: true, dimensions, ...(allAdvice === '' ? {} : { advice: allAdvice }) }
  } catch (error) {
    return failedTest(error)
  }
}

function assertComplete(model: string, url: string): void {
  if (model === '') throw new StoryError('invalid', 'Enter the name of an embedding model first.')
  if (url === '')
    throw new StoryError('invalid', 'Enter the address of an embedding server, or connect a model server.')
}

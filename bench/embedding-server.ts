import type { Library } from '../src/db/library.ts'
import { pendingTexts, upsertVector } from '../src/db/search/text-vectors.ts'
import {
  embeddedLine,
  embeddedTextFor,
  embeddingModel,
  passageInContext,
} from '../src/domain/recall/embedded-text.ts'
import { normalised, type VectorQuery } from '../src/domain/recall/vectors.ts'
import { createNarrator } from '../src/narrator/client.ts'

const BATCH = 32

/** A server that embeds texts, each once. */
export class EmbeddingServer {
  private readonly narrator = createNarrator()
  private readonly known = new Map<string, Float32Array>()
  private readonly form

  constructor(
    private readonly url: string,
    private readonly model: string,
  ) {
    this.form = embeddedTextFor(model)
  }

  /** What lines look for, by the lines. */
  async queriesFor(lines: readonly string[]): Promise<Map<string, VectorQuery>> {
    const bare = (line: string) => this.form.query(embeddedLine(line))
    const vectors = await this.embed('query', lines.map(bare))
    return new Map(
      lines.map((line, i) => [line, { model: this.form.name, line: Float64Array.from(vectors[i] ?? []) }]),
    )
  }

  /** Embeds all passages of a story. */
  async embedPassages(library: Library, adventureId: number): Promise<void> {
    const model = this.form.name
    for (;;) {
      const wanted = { model, before: Number.POSITIVE_INFINITY, limit: 1_000 }
      const { texts } = pendingTexts(library.reader, adventureId, wanted)
      if (texts.length === 0) return
      const vectors = await this.embed(
        'passage',
        texts.map((text) => this.form.passage(passageInContext(text))),
      )
      library.write((tx) => {
        for (const [i, text] of texts.entries())
          upsertVector(tx, adventureId, text, { model, vector: vectors[i] ?? new Float32Array() })
      })
    }
  }

  private async embed(type: 'passage' | 'query', texts: readonly string[]): Promise<Float32Array[]> {
    const unknown = [...new Set(texts)].filter((text) => !this.known.has(text))
    for (let i = 0; i < unknown.length; i += BATCH) {
      const batch = unknown.slice(i, i + BATCH)
      const endpoint = { url: this.url, read_timeout_seconds: 600 }
      const { signal } = new AbortController()
      const asked = embeddingModel(this.form, this.model, type)
      const vectors = await this.narrator.embed(endpoint, asked, batch, signal)
      for (const [j, text] of batch.entries())
        this.known.set(text, normalised(vectors[j] ?? new Float32Array()))
    }
    return texts.map((text) => this.known.get(text) ?? new Float32Array())
  }
}

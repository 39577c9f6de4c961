import type { EmbeddingTest } from '../../app/model/test-embeddings.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'

/** The button that tests the embedding model in the form. */
export function EmbeddingTestButton(): Markup {
  return (
    <p class="row">
      <button
        type="submit"
        formaction="/settings/test/embeddings#embeddings-tested"
        formnovalidate
        hx-post="/settings/test/embeddings"
        hx-include="closest form"
        hx-target="#embeddings-tested"
        hx-swap="outerHTML"
      >
        Test embeddings
      </button>
    </p>
  )
}

/** The result of that test. */
export function EmbeddingTestResult({ tested }: { tested: EmbeddingTest | undefined }): Markup {
  return (
    <div id="embeddings-tested" role="status">
      {tested ? <p class={tested.ok ? 'good' : 'bad'}>{sentenceOf(tested)}</p> : null}
      {tested?.advice ? <p class="about">{tested.advice}</p> : null}
    </div>
  )
}

function sentenceOf(tested: EmbeddingTest): string {
  return tested.ok ? `The embedding model works (${tested.dimensions} dimensions).` : tested.detail
}

import type { ConnectionTest } from '../../app/model/settings.ts'
import type { EmbeddingTest } from '../../app/model/test-embeddings.ts'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'

/** The address of each test, and the place of its result. */
const TESTS = {
  connection: { path: '/settings/test', place: 'tested' },
  embeddings: { path: '/settings/test/embeddings', place: 'embeddings-tested' },
}

export function TestButton({ of }: { of: keyof typeof TESTS }): Markup {
  const { path, place } = TESTS[of]
  return (
    <p class="row">
      <button
        type="submit"
        formaction={`${path}#${place}`}
        formnovalidate
        hx-post={path}
        hx-include="closest form"
        hx-target={`#${place}`}
        hx-swap="outerHTML"
      >
        Test {of}
      </button>
    </p>
  )
}

interface ResultProps {
  of: keyof typeof TESTS
  tested: { ok: boolean; advice?: string } | undefined
  sentence: string | undefined
  children?: Child
}

function TestResult({ of, tested, sentence, children }: ResultProps): Markup {
  return (
    <div id={TESTS[of].place} role="status">
      {tested ? <p class={tested.ok ? 'good' : 'bad'}>{sentence}</p> : null}
      {tested?.advice ? <p class="about">{tested.advice}</p> : null}
      {children}
    </div>
  )
}

/** Fills the list of models for the fields that name one. */
export function ConnectionTestResult({ tested }: { tested: ConnectionTest | undefined }): Markup {
  const models = tested?.ok ? tested.models : []
  return (
    <TestResult of="connection" tested={tested} sentence={tested?.ok ? modelsFound(models) : tested?.detail}>
      <datalist id="models">
        {models.map((id) => (
          <option value={id} />
        ))}
      </datalist>
    </TestResult>
  )
}

const MAX_NAMES = 8

function modelsFound(models: readonly string[]): string {
  if (models.length === 0) return 'Connected, but the server lists no models. Load one there first.'
  const others = models.length > MAX_NAMES ? ` and ${models.length - MAX_NAMES} more` : ''
  return `Connected. Models: ${models.slice(0, MAX_NAMES).join(', ')}${others}.`
}

export function EmbeddingTestResult({ tested }: { tested: EmbeddingTest | undefined }): Markup {
  const sentence = tested?.ok
    ? `The embedding model works (${tested.dimensions} dimensions).`
    : tested?.detail
  return <TestResult of="embeddings" tested={tested} sentence={sentence} />
}

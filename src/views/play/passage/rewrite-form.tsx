import type { ActionView } from '../../../domain/action.ts'
import { LIMITS } from '../../../domain/limits.ts'
import { joinedSentences, type Span, sentenceSpans } from '../../../domain/text/sentence-spans.ts'
import { hashOf } from '../../../lib/hash.ts'
import type { Markup } from '../../jsx/jsx-runtime.ts'
import type { FormFields } from '../../respond.tsx'
import { passageUrl } from '../../urls.ts'

export interface ChosenRewrite {
  /** The places of the chosen sentences in the passage. */
  sentences: ReadonlySet<number>
  how: string
}

export const NOTHING_CHOSEN: ChosenRewrite = { sentences: new Set(), how: '' }

interface RewriteFormProps {
  action: ActionView
  chosen: ChosenRewrite
}

/** The fields go along with the composer's form. */
export function RewriteForm({ action, chosen }: RewriteFormProps): Markup {
  const { id, text } = action
  return (
    <article id={`action-${id}`} class="editing" aria-labelledby={`heading-${id}`}>
      <h2 id={`heading-${id}`}>Rewrite a part</h2>
      <p class="elsewhere about" role="status" />
      <input type="hidden" form="composer" name="rewritten" value={hashOf(text)} />
      <fieldset class="sentences">
        <legend>Choose what to rewrite. Everything else stays as it is.</legend>
        {sentenceSpans(text).map(({ start, end }, i) => (
          <label class="row" dir="auto">
            <input
              type="checkbox"
              form="composer"
              name={`sentence-${i}`}
              value="1"
              checked={chosen.sentences.has(i)}
              autofocus={i === 0}
            />
            <span translate="no">{text.slice(start, end)}</span>
          </label>
        ))}
      </fieldset>
      <label for={`how-${id}`}>How should it change?</label>
      <textarea
        id={`how-${id}`}
        form="composer"
        name="how"
        rows="2"
        dir="auto"
        translate="no"
        maxlength={String(2 * LIMITS.steering)}
        placeholder="Shorter. She refuses. The door is locked instead."
      >
        {`\n${chosen.how}`}
      </textarea>
      <p class="row">
        <button type="submit" form="composer" class="main" name="rewrite" value={String(id)}>
          Rewrite
        </button>
        <a href={passageUrl(action)}>Cancel</a>
      </p>
    </article>
  )
}

export function chosenIn(fields: Record<string, string | undefined>): ChosenRewrite {
  const sentences = Object.keys(fields).flatMap((name) => /^sentence-(\d{1,6})$/.exec(name)?.[1] ?? [])
  return { sentences: new Set(sentences.map(Number)), how: fields.how ?? '' }
}

export function chosenQuery(fields: FormFields): string {
  const chosen = Object.entries(fields).filter(([name]) => /^(sentence-\d{1,6}|how|rewrite)$/.test(name))
  return String(new URLSearchParams(chosen))
}

export function chosenSpans(text: string, { sentences }: ChosenRewrite): Span[] {
  return joinedSentences(sentenceSpans(text), (i) => sentences.has(i))
}

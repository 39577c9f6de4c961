import type { Answers } from '../../domain/text/placeholder.ts'
import { noticeForm } from '../form-attributes.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { PlaceholderFields } from '../scenario/placeholders.tsx'
import { storyUrl } from '../urls.ts'

/** Asks once for the placeholders of a story that began without answers; null if nothing is open. */
export function Questions({
  adventureId,
  questions,
  names,
  typed,
}: {
  adventureId: number
  questions: readonly string[]
  names: readonly string[]
  /** Answers that were refused. */
  typed: Answers | undefined
}): Markup | null {
  if (questions.length === 0) return null
  const action = `${storyUrl(adventureId)}/questions`
  return (
    <form id="asks" class="field" {...noticeForm(action)} aria-label="Placeholders">
      <div class="practice">
        <strong>Placeholders:</strong> this story began without these. A field left empty keeps the name of
        its placeholder.
        <div class="pair">
          <PlaceholderFields
            placeholders={questions.map((name) => ({ name }))}
            answers={typed}
            names={names}
          />
        </div>
        <div class="row">
          <button type="submit" class="main">
            Save
          </button>
          <button type="submit" name="skip" value="1">
            Skip
          </button>
        </div>
      </div>
    </form>
  )
}

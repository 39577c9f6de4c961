import { noticeForm } from '../form-attributes.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { PlaceholderFields } from '../scenario/placeholders.tsx'
import { storyUrl } from '../urls.ts'
import type { StoryEnd } from './page-props.ts'

/** Null if no placeholder is open. */
export function Questions({
  adventureId,
  questions,
  names,
  typedAnswers,
}: Pick<StoryEnd, 'questions' | 'names' | 'typedAnswers'> & { adventureId: number }): Markup | null {
  if (questions.length === 0) return null
  const action = `${storyUrl(adventureId)}/questions`
  return (
    <form id="asks" class="field" {...noticeForm(action)} aria-label="Placeholders">
      <div class="practice">
        <strong>Placeholders:</strong> this story started without these answers. A placeholder without an
        answer keeps its name.
        <div class="pair">
          <PlaceholderFields
            placeholders={questions.map((name) => ({ name }))}
            answers={typedAnswers}
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

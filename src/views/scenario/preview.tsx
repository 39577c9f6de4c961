import type { ScenarioPreview } from '../../app/scenario/preview-scenario.ts'
import { languageOf } from '../../domain/text/language.ts'
import type { Answers } from '../../domain/text/placeholder.ts'
import { TriedCardList } from '../cards/triggered-cards.tsx'
import { regionForm } from '../form-attributes.ts'
import { FullPrompt } from '../insights/prompt-view.tsx'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { ProseBlock } from '../prose/prose.tsx'
import { Field } from '../ui/field.tsx'
import { formatNumber } from '../ui/format-number.ts'
import { type EditorTab, scenarioUrl } from '../urls.ts'
import { PlaceholderFields } from './placeholders.tsx'

export interface PreviewProps extends ScenarioPreview {
  scenarioId: number
  questions: readonly string[]
  answers: Answers
  line: string
}

/** With script it follows every change. */
export function Preview({ tab, ...props }: PreviewProps & { tab: EditorTab }): Markup {
  return (
    <aside class="preview" aria-labelledby="preview-title">
      <h2 id="preview-title">Preview</h2>
      <form
        {...regionForm(`${scenarioUrl(props.scenarioId)}/preview`, '#previewed')}
        hx-trigger="submit, input delay:400ms, saved from:#editor"
      >
        <input type="hidden" name="tab" value={tab} />
        <PreviewAnswers {...props} />
        <Field
          label="Try a line"
          name="text"
          value={props.line}
          scope="try-"
          hint="What a player writes first: see which story cards it triggers."
        />
        <button type="submit">Update preview</button>
      </form>
      <Previewed {...props} />
    </aside>
  )
}

/** Replaced when the scenario has other placeholders. */
export function PreviewAnswers({
  questions,
  answers,
  isOutOfBand = false,
}: Pick<PreviewProps, 'questions' | 'answers'> & { isOutOfBand?: boolean }): Markup {
  return (
    <div id="preview-answers" hx-swap-oob={isOutOfBand ? 'true' : undefined}>
      <PlaceholderFields
        placeholders={questions.map((name) => ({ name }))}
        answers={answers}
        scope="sample-"
      />
    </div>
  )
}

export function Previewed({ opening, line, cards, messages, tokens, problem }: PreviewProps): Markup {
  return (
    <div id="previewed">
      {line === '' ? null : (
        <div role="status">
          <TriedCardList cards={cards} />
        </div>
      )}
      <h3>Opening</h3>
      {opening === '' ? (
        <p class="about">This scenario has no opening.</p>
      ) : (
        <ProseBlock text={opening} language={{ language: languageOf(opening), marks: 'und' }} />
      )}
      <h3>
        First prompt <span class="about">about {formatNumber(tokens)} tokens</span>
      </h3>
      {problem === '' ? <FullPrompt messages={messages} /> : <p class="bad">{problem}</p>}
    </div>
  )
}

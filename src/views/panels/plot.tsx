import type { PlaceholderAnswers } from '../../app/adventure/placeholders.ts'
import type { TrialStart } from '../../app/scenario/try-cards.ts'
import type { Adventure } from '../../domain/adventure.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { StoryCard } from '../../domain/story-card.ts'
import { languageName } from '../../domain/text/language.ts'
import type { StatSchema } from '../../domain/world/state.ts'
import { CardEditors } from '../cards/card-editors.tsx'
import type { CardTest } from '../cards/try-cards.tsx'
import type { Markup } from '../jsx/jsx-runtime.ts'
import type { FormFields } from '../respond.tsx'
import { PlaceholderFields } from '../scenario/placeholders.tsx'
import {
  type AutosavedForm,
  AutosaveField,
  AutosaveForm,
  type AutosaveText,
  type Refused,
  SavingState,
} from '../ui/autosave-form.tsx'
import { countOf } from '../ui/format-number.ts'
import { answersIn } from '../ui/placeholder-fields.ts'
import { GUIDANCE, PLOT_ESSENTIALS } from '../ui/plot-fields.ts'
import { panelUrl, refreshUrl, storyUrl } from '../urls.ts'
import { Panel } from './panel.tsx'
import { type RecallTest, TryRecall } from './try-recall.tsx'

/** The texts of a plot that only its player changes, in the order of the panel. */
const PLOT_TEXTS: AutosaveText[] = [
  { name: 'title', label: 'Title', limit: LIMITS.name },
  PLOT_ESSENTIALS,
  ...GUIDANCE,
  {
    name: 'language',
    label: 'Language',
    hint: 'The model is asked to write in this language. English is mentioned only if you choose it.',
    options: languageOptions,
    shown: (chosen) => (chosen === '' ? AS_WRITTEN : languageName(chosen)),
  },
]

/** The text that the service updates too: in a form of its own, so that no other text has a conflict then. */
const SUMMARY: AutosaveText = {
  name: 'story_summary',
  label: 'Story summary',
  rows: 4,
  hint: 'Sent to the model. Automatic updates build on what you write here.',
  isSent: true,
}

export function plotForm(adventure: Adventure, of: 'plot' | 'summary'): AutosavedForm {
  return {
    id: `${of}-form`,
    action: storyUrl(adventure.id),
    page: panelUrl(adventure.id, 'plot'),
    texts: of === 'plot' ? PLOT_TEXTS : [SUMMARY],
    stored: adventure,
  }
}

export interface PlotProps extends Refused {
  adventure: Adventure
  /** The chosen or detected language, as a BCP 47 tag. */
  language: string
  cards: StoryCard[]
  unused: ReadonlySet<number>
  schema: StatSchema | null
  start: TrialStart
  tried?: CardTest | undefined
  recalled?: RecallTest | undefined
  answered: PlaceholderAnswers
  /** Null for a story without a scenario. */
  scenario: { title: string; changes: number } | null
  typedAnswers?: FormFields | undefined
}

export function Plot(props: PlotProps): Markup {
  const { adventure, typed, fault, cards, tried, recalled, scenario } = props
  return (
    <Panel
      adventureId={adventure.id}
      name="plot"
      title="Plot and cards"
      class="plot"
      x-data="autosave"
      x-on:input="typing"
    >
      <SavingState />
      <PlotForm form={plotForm(adventure, 'plot')} button="Save plot" {...props} />
      <PlotForm form={plotForm(adventure, 'summary')} button="Save summary" {...props} />
      {scenario ? <FromScenario {...props} scenario={scenario} /> : null}
      <h2>Story cards</h2>
      <CardEditors
        cards={cards}
        unused={props.unused}
        owner={{ adventure_id: adventure.id }}
        schema={props.schema}
        start={props.start}
        tried={tried}
        typed={typed}
        fault={fault}
      />
      <div class="card-editors">
        <TryRecall adventureId={adventure.id} tried={recalled} />
      </div>
    </Panel>
  )
}

interface PlotFormProps extends Refused {
  form: AutosavedForm
  button: string
  language: string
}

function PlotForm({ form, button, language, typed, fault }: PlotFormProps): Markup {
  const refused = form.texts.some(({ name }) => typed?.[name] !== undefined) ? { typed, fault } : {}
  return (
    <AutosaveForm form={form} button={button} {...refused}>
      {form.texts.map((text) => (
        <AutosaveField
          form={form}
          text={text.options ? { ...text, options: (tag) => languageOptions(tag, language) } : text}
          typed={refused.typed}
        />
      ))}
    </AutosaveForm>
  )
}

function FromScenario({
  adventure,
  scenario: { title, changes },
  answered: { questions, placeholders, needed },
  typedAnswers,
}: PlotProps & { scenario: { title: string; changes: number } }): Markup {
  return (
    <>
      <p class="row">
        <a href={refreshUrl(adventure.id)}>Update from scenario “{title}”</a>{' '}
        <span class="about">{updatesOf(changes, needed.length)}</span>
      </p>
      {questions.length > 0 ? (
        <details open={typedAnswers !== undefined}>
          <summary>Placeholders ({questions.length})</summary>
          <form method="post" action={`${storyUrl(adventure.id)}/answers`}>
            <PlaceholderFields
              placeholders={questions}
              answers={{ ...placeholders, ...(typedAnswers && answersIn(typedAnswers)) }}
            />
            <button type="submit">Save and preview changes</button>
          </form>
        </details>
      ) : null}
    </>
  )
}

function updatesOf(changes: number, needed: number): string {
  const updates = [
    changes === 0 ? '' : `${countOf(changes, 'change')} available`,
    needed === 0 ? '' : `${countOf(needed, 'placeholder')} to fill in`,
  ].filter(Boolean)
  return updates.length === 0 ? 'Up to date.' : `${updates.join(', ')}.`
}

/** BCP 47 tags. */
const LANGUAGES =
  `ar bg bn ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv ms nb nl pl pt pt-BR ro ru sk sl
  sr sv ta th tr uk ur vi zh-Hans zh-Hant`.split(/\s+/)

/** The choice of the detected language. */
const AS_WRITTEN = 'As it is written'

/** The languages that a story can be set to, by name; first the one that its text tells. */
function languageOptions(chosen: string, detected = 'und'): [tag: string, name: string][] {
  const listed = new Set(chosen === '' ? LANGUAGES : [...LANGUAGES, chosen])
  const named = [...listed].map((tag): [string, string] => [tag, languageName(tag)])
  const seen = chosen === '' && detected !== 'und' ? `: ${languageName(detected)}` : ''
  return [['', `${AS_WRITTEN}${seen}`], ...named.sort(([, one], [, other]) => one.localeCompare(other, 'en'))]
}

import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { PanelHead } from '../panels/panel-head.tsx'
import { Choice, Field } from '../ui/field.tsx'

const FORMATS = [
  ['json', 'Inglenook file, complete (JSON)'],
  ['epub', 'E-book (EPUB)'],
  ['html', 'Web page (HTML)'],
  ['markdown', 'Text (Markdown)'],
  ['jsonl', 'SillyTavern chat (JSONL)'],
  ['legacy', 'File for the earlier release (JSON)'],
] as const

/** Downloads a story in a format of choice. */
export function ExportPanel({
  adventureId,
  hasBranches,
}: {
  adventureId: number
  hasBranches: boolean
}): Markup {
  return (
    <section aria-label="Export">
      <PanelHead adventureId={adventureId} name="export">
        Export
      </PanelHead>
      <form method="get" action={`/api/adventures/${adventureId}/export`}>
        <Choice label="Format" name="format" options={FORMATS} />
        <fieldset class="choice options">
          <legend>For e-books, web pages and text</legend>
          <Option name="player_lines" value="false">
            Leave out my actions
          </Option>
          <Option name="attempts" value="true">
            Include all versions of each passage
          </Option>
          <Option name="stats" value="true">
            Include stat changes
          </Option>
          {hasBranches ? (
            <Option name="branches" value="true">
              Include all branches, with their map
            </Option>
          ) : null}
        </fieldset>
        <div class="row">
          <Field label="From passage" name="from" value="" type="number" more={{ min: '0' }} />
          <Field label="To passage" name="to" value="" type="number" more={{ min: '0' }} />
        </div>
        <p class="about">The opening is passage 0. Leave both empty to export the whole story.</p>
        <button type="submit" class="main">
          Download
        </button>
      </form>
    </section>
  )
}

/** A checkbox for what is not so by itself. */
function Option({ name, value, children }: { name: string; value: string; children?: Child }): Markup {
  return (
    <label class="check">
      <input type="checkbox" name={name} value={value} />
      <span>{children}</span>
    </label>
  )
}

/** Links that download a scenario. */
export function ExportScenario({ scenarioId }: { scenarioId: number }): Markup {
  const href = (format: string) => `/api/scenarios/${scenarioId}/export?format=${format}`
  return (
    <p>
      Export as an <a href={href('json')}>Inglenook file</a>, a character card (
      <a href={href('png')}>picture</a>, <a href={href('card')}>JSON</a> or <a href={href('charx')}>.charx</a>
      ), a <a href={href('lorebook')}>SillyTavern lorebook</a> of its story cards, or a{' '}
      <a href={href('legacy')}>file for the earlier release</a>.
    </p>
  )
}

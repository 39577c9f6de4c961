import type { Scenario } from '../../domain/scenario.ts'
import type { StoryCard } from '../../domain/story-card.ts'
import { lostInEarlier } from '../../formats/earlier-release/make-scenario.ts'
import type { ScenarioFormat } from '../../formats/file-name.ts'
import { lostInLore } from '../../formats/lore/losses.ts'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { Panel } from '../panels/panel.tsx'
import { Choice, Field } from '../ui/field.tsx'
import { countOf } from '../ui/format-number.ts'

const FORMATS = [
  ['json', 'Inglenook file, complete (JSON)'],
  ['epub', 'E-book (EPUB)'],
  ['html', 'Web page (HTML)'],
  ['markdown', 'Text (Markdown)'],
  ['jsonl', 'SillyTavern chat (JSONL)'],
  ['legacy', 'File for the earlier release (JSON)'],
] as const

export function ExportPanel({
  adventureId,
  hasBranches,
}: {
  adventureId: number
  hasBranches: boolean
}): Markup {
  return (
    <Panel adventureId={adventureId} name="export" title="Export">
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
        <p class="about">
          Only an Inglenook file contains everything that you need to continue elsewhere. A SillyTavern chat
          has the passages with their versions and the author’s note. A file for the earlier release has no
          stats to continue with.
        </p>
        <button type="submit" class="main">
          Download
        </button>
      </form>
    </Panel>
  )
}

function Option({ name, value, children }: { name: string; value: string; children?: Child }): Markup {
  return (
    <label class="check">
      <input type="checkbox" name={name} value={value} />
      <span>{children}</span>
    </label>
  )
}

interface ScenarioAndCards {
  scenario: Scenario
  cards: StoryCard[]
}

export function ExportScenario({ scenario, cards }: ScenarioAndCards): Markup {
  const href = (format: ScenarioFormat) => `/api/scenarios/${scenario.id}/export?format=${format}`
  return (
    <>
      <p>
        Export as an <a href={href('json')}>Inglenook file</a>, a character card (
        <a href={href('png')}>picture</a>, <a href={href('card')}>JSON</a> or{' '}
        <a href={href('charx')}>.charx</a>), a <a href={href('lorebook')}>SillyTavern lorebook</a> of its
        story cards, or a <a href={href('legacy')}>file for the earlier release</a>.
      </p>
      <Losses scenario={scenario} cards={cards} />
    </>
  )
}

function Losses({ scenario, cards }: ScenarioAndCards): Markup {
  const lost = cards
    .map((card) => ({ card, words: lostInLore(card) }))
    .filter(({ words }) => words.length > 0)
  const inEarlier = lostInEarlier({ ...scenario, story_cards: cards })
  return (
    <>
      {lost.length === 0 ? null : (
        <details>
          <summary>
            A lorebook, and a character card in other programs, cannot hold everything of{' '}
            {countOf(lost.length, 'story card')}
          </summary>
          <ul>
            {lost.map(({ card, words }) => (
              <li>
                <b dir="auto">{card.name || card.keys}</b>: <span dir="auto">{words.join(', ')}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {inEarlier.length === 0 ? null : (
        <p>A file for the earlier release leaves out: {inEarlier.join(', ')}.</p>
      )}
    </>
  )
}

import { Choice, Field } from '../ui/field.tsx'
import type { Markup } from '../jsx/jsx-runtime.ts'

/** A story as a file, in the shape that the player wants. */
export function TakeStoryAway({ adventureId }: { adventureId: number }): Markup {
  return (
    <details>
      <summary>Take this story away as a file</summary>
      <form method="get" action={`/api/adventures/${adventureId}/export`}>
        <Choice
          label="As"
          name="format"
          options={[
            ['json', 'A whole copy, to go on elsewhere with Inglenook'],
            ['epub', 'A book (EPUB)'],
            ['html', 'A page that needs no network (HTML)'],
            ['markdown', 'Text (Markdown)'],
            ['jsonl', 'A chat for SillyTavern'],
            ['legacy', 'A file for the earlier release'],
          ]}
        />
        <Choice
          label="Your own lines"
          name="player_lines"
          options={[
            ['true', 'With them'],
            ['false', 'Without them'],
          ]}
        />
        <Choice
          label="Other attempts, in a book, a page or text"
          name="attempts"
          options={[
            ['false', 'Without other attempts'],
            ['true', 'With all attempts'],
          ]}
        />
        <Choice
          label="What each passage changed, in a book, a page or text"
          name="stats"
          options={[
            ['false', 'Without it'],
            ['true', 'With it'],
          ]}
        />
        <div class="row">
          <Field label="From passage" name="from" value="" type="number" more={{ min: '0' }} />
          <Field label="To passage" name="to" value="" type="number" more={{ min: '0' }} />
        </div>
        <p class="about">Passages are counted from 0, the opening. Left empty, the whole story is taken.</p>
        <button type="submit">Save the file</button>
      </form>
    </details>
  )
}

/** A scenario as a file. */
export function TakeScenarioAway({ scenarioId }: { scenarioId: number }): Markup {
  const href = (format: string) => `/api/scenarios/${scenarioId}/export?format=${format}`
  return (
    <p>
      Take this scenario away: <a href={href('json')}>whole</a>, <a href={href('png')}>as a character card</a>
      , <a href={href('legacy')}>for the earlier release</a>.
    </p>
  )
}

import { type ScenarioListItem, tagList } from '../../domain/scenario.ts'
import { Cover } from '../cover.tsx'
import type { Markup } from '../jsx/jsx-runtime.ts'

const TAGS_SHOWN = 4

/** Scenarios to begin a story from. */
export function ScenarioCards({
  scenarios,
  heading: Heading = 'h2',
}: {
  scenarios: readonly ScenarioListItem[]
  /** What their titles are, under the heading above them. */
  heading?: 'h2' | 'h3'
}): Markup {
  return (
    <ul class="cards">
      {scenarios.map((scenario) => (
        <li class="card">
          <Cover {...scenario} />
          <div>
            <Heading>
              <a href={`/scenarios/${scenario.id}`}>{scenario.title}</a>
            </Heading>
            <p class="snippet">{scenario.description}</p>
            <p class="tags">
              {tagList(scenario.tags)
                .slice(0, TAGS_SHOWN)
                .map((tag) => (
                  <span>{tag}</span>
                ))}
            </p>
          </div>
        </li>
      ))}
    </ul>
  )
}

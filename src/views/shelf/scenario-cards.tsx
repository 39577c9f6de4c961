import { type ScenarioListItem, tagList } from '../../domain/scenario.ts'
import { Cover } from '../cover.tsx'
import type { Markup } from '../jsx/jsx-runtime.ts'

const TAGS_SHOWN = 4

/** Scenarios to begin a story from. */
export function ScenarioCards({ scenarios }: { scenarios: readonly ScenarioListItem[] }): Markup {
  return (
    <ul class="cards">
      {scenarios.map((scenario) => (
        <li class="card">
          <Cover {...scenario} />
          <div>
            <h3>
              <a href={`/scenarios/${scenario.id}`}>{scenario.title}</a>
            </h3>
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

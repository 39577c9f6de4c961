import { type ScenarioListItem, tagList } from '../../domain/scenario.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { Cover } from '../ui/cover.tsx'
import { Tags } from './tags.tsx'

const TAGS_SHOWN = 4

/** Scenarios to start a story from. */
export function ScenarioCards({ scenarios }: { scenarios: readonly ScenarioListItem[] }): Markup {
  return (
    <ul class="cards">
      {scenarios.map((scenario) => (
        <li class="card">
          <Cover {...scenario} />
          <div>
            <h2>
              <a href={`/scenarios/${scenario.id}`} dir="auto">
                {scenario.title}
              </a>
            </h2>
            {scenario.description === '' ? (
              <p class="about">No description</p>
            ) : (
              <p class="snippet" dir="auto">
                {scenario.description}
              </p>
            )}
            <Tags tags={tagList(scenario.tags).slice(0, TAGS_SHOWN)} />
          </div>
        </li>
      ))}
    </ul>
  )
}

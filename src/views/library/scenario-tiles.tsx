import { type ScenarioListItem, tagList } from '../../domain/scenario.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { attributesOfText } from '../prose/prose.tsx'
import { Cover } from '../ui/cover.tsx'
import { Tags } from './tags.tsx'

const TAGS_SHOWN = 4

export function ScenarioCards({ scenarios }: { scenarios: readonly ScenarioListItem[] }): Markup {
  return (
    <ul class="cards">
      {scenarios.map((scenario) => (
        <li class="card">
          <Cover {...scenario} />
          <div>
            <h2>
              <a href={`/scenarios/${scenario.id}`} {...attributesOfScenario(scenario)}>
                {scenario.title}
              </a>
            </h2>
            <ScenarioDescription scenario={scenario} look="snippet" />
            <Tags tags={tagList(scenario.tags).slice(0, TAGS_SHOWN)} />
          </div>
        </li>
      ))}
    </ul>
  )
}

export function attributesOfScenario({ title, description }: ScenarioListItem) {
  return attributesOfText(`${title} ${description}`)
}

export function ScenarioDescription({
  scenario,
  look,
}: {
  scenario: ScenarioListItem
  look: string
}): Markup {
  if (scenario.description === '') return <p class="about">No description</p>
  return (
    <p class={look} {...attributesOfScenario(scenario)}>
      {scenario.description}
    </p>
  )
}

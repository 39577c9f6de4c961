import type { ScenarioListItem } from '../../domain/scenario.ts'
import { ImportForm } from '../import/import.tsx'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { Notice, Page } from '../layout.tsx'
import { FilterForm } from './filter-form.tsx'
import { filterScenarios, type LibraryFilter, NO_FILTER, tagsIn } from './library-filter.ts'
import { ScenarioCards } from './scenario-tiles.tsx'

interface ScenariosPageProps {
  scenarios: ScenarioListItem[]
  filter?: LibraryFilter
  did?: string
  notice?: Child
}

export function ScenariosPage({ scenarios, filter = NO_FILTER, did, notice }: ScenariosPageProps): Markup {
  const shown = filterScenarios(scenarios, filter)
  return (
    <Page title="Scenarios" place="/scenarios" did={did}>
      <div class="shelf">
        <div class="shelf-head">
          <h1>Scenarios</h1>
          <form method="post" action="/scenarios">
            <button type="submit" class="main">
              New scenario
            </button>
          </form>
        </div>
        <Notice>{notice}</Notice>
        {scenarios.length > 0 ? (
          <FilterForm action="/scenarios" filter={filter} tags={tagsIn(scenarios)} />
        ) : null}
        {shown.length > 0 ? (
          <ScenarioCards scenarios={shown} />
        ) : (
          <NoScenarios isFiltered={scenarios.length > 0} />
        )}
        <ImportForm />
      </div>
    </Page>
  )
}

function NoScenarios({ isFiltered }: { isFiltered: boolean }): Markup {
  return (
    <p class="lead">
      {isFiltered ? (
        <>
          No scenarios match. <a href="/scenarios">Show all</a>
        </>
      ) : (
        'No scenarios yet. Create one, or import a file.'
      )}
    </p>
  )
}

import type { ScenarioListItem } from '../../domain/scenario.ts'
import { ImportForm } from '../import/import.tsx'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { Page } from '../layout.tsx'
import { FilterForm } from './filter-form.tsx'
import { filterScenarios, type LibraryFilter, NO_FILTER, tagsIn } from './library-filter.ts'
import { ScenarioCards } from './scenario-tiles.tsx'

/** All scenarios, and a form that creates one. */
export function ScenariosPage({
  scenarios,
  filter = NO_FILTER,
  did,
}: {
  scenarios: ScenarioListItem[]
  filter?: LibraryFilter
  did?: string
}): Markup {
  const shown = filterScenarios(scenarios, filter)
  return (
    <Page title="Scenarios" place="/scenarios" did={did}>
      <div class="shelf">
        <h1>Scenarios</h1>
        {scenarios.length > 0 ? (
          <FilterForm action="/scenarios" filter={filter} tags={tagsIn(scenarios)} />
        ) : null}
        {shown.length > 0 ? (
          <ScenarioCards scenarios={shown} />
        ) : (
          <NoScenarios isFiltered={scenarios.length > 0} />
        )}
        <h2>New scenario</h2>
        <form class="row one-line" method="post" action="/scenarios">
          <label>
            <span>Title</span>
            <input name="title" dir="auto" translate="no" maxlength="200" required />
          </label>
          <button type="submit">Create</button>
        </form>
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
        'No scenarios yet. Create one below, or import a file.'
      )}
    </p>
  )
}

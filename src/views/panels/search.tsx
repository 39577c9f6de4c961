import { regionFrom } from '../form-attributes.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { Results, type SearchProps } from '../search/search.tsx'
import { SearchField } from '../search/search-form.tsx'
import { storyUrl } from '../urls.ts'
import { Panel } from './panel.tsx'

export function SearchPanel({ adventureId, ...props }: SearchProps & { adventureId: number }): Markup {
  return (
    <Panel adventureId={adventureId} name="search" title="Search">
      <search>
        <form class="search" action={storyUrl(adventureId)} {...regionFrom(storyUrl(adventureId), '#panel')}>
          <input type="hidden" name="panel" value="search" />
          <SearchField label="Search this story" typed={props.typed} />
          <button type="submit">Search</button>
        </form>
      </search>
      <Results {...props} />
    </Panel>
  )
}

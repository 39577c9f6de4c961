import type { Markup } from '../jsx/jsx-runtime.ts'
import { Select } from '../ui/field.tsx'
import { type LibraryFilter, STORY_ORDERS } from './library-filter.ts'

const ORDERS: Record<LibraryFilter['order'], string> = {
  played: 'Last played',
  begun: 'Newest',
  title: 'Title (A–Z)',
  length: 'Longest',
}

interface FilterFormProps {
  action: string
  filter: LibraryFilter
  tags: readonly string[]
  hasOrders?: boolean
}

/** Everything is in the address, so Back works; only the button submits the form. */
export function FilterForm({ action, filter, tags, hasOrders = false }: FilterFormProps): Markup {
  // The case of a tag in the address does not matter.
  const chosen = tags.find((tag) => tag.toLowerCase() === filter.tag.toLowerCase())
  return (
    <form class="row view" method="get" action={action} aria-label="Filter and sort">
      {filter.shelf === 'archived' ? <input type="hidden" name="shelf" value="archived" /> : null}
      <label>
        <span>Find</span>
        <input type="search" dir="auto" translate="no" name="find" value={filter.find} />
      </label>
      {tags.length > 0 ? (
        <label>
          <span>Tag</span>
          <Select
            name="tag"
            options={[['', 'All'], ...tags.map((tag) => [tag, tag] as const)]}
            chosen={chosen}
          />
        </label>
      ) : null}
      {hasOrders ? (
        <label>
          <span>Sort by</span>
          <Select
            name="order"
            options={STORY_ORDERS.map((order) => [order, ORDERS[order]] as const)}
            chosen={filter.order}
          />
        </label>
      ) : null}
      <button type="submit">Apply</button>
    </form>
  )
}

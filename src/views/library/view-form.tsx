import { type LibraryView, STORY_ORDERS } from './library-filter.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'

const ORDERS: Record<LibraryView['order'], string> = {
  played: 'Played last',
  begun: 'Begun last',
  title: 'By title',
  length: 'Longest first',
}

/** How a shelf is looked at. It is all in the address, so that Back leads back to it; no choice leads away by itself. */
export function ViewForm({
  action,
  view,
  tags,
  orders = false,
}: {
  action: string
  view: LibraryView
  tags: readonly string[]
  /** Whether there is more than one order. */
  orders?: boolean
}): Markup {
  return (
    <form class="row view" method="get" action={action} aria-label="What is shown">
      {view.shelf === 'archived' ? <input type="hidden" name="shelf" value="archived" /> : null}
      <label>
        <span>Find</span>
        <input type="search" name="find" value={view.find} />
      </label>
      {tags.length > 0 ? (
        <label>
          <span>Tag</span>
          <select name="tag">
            <option value="">All</option>
            {tags.map((tag) => (
              <option value={tag} selected={tag.toLowerCase() === view.tag.toLowerCase()}>
                {tag}
              </option>
            ))}
          </select>
        </label>
      ) : null}
      {orders ? (
        <label>
          <span>Order</span>
          <select name="order">
            {STORY_ORDERS.map((order) => (
              <option value={order} selected={order === view.order}>
                {ORDERS[order]}
              </option>
            ))}
          </select>
        </label>
      ) : null}
      <button type="submit">Show</button>
    </form>
  )
}

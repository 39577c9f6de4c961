import type { AdventureListItem } from '../../domain/adventure.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { Page } from '../layout.tsx'
import { countOf, formatNumber } from '../ui/format-number.ts'
import { storyEndUrl } from '../urls.ts'

export function DeleteStoriesPage({ stories }: { stories: readonly AdventureListItem[] }): Markup {
  const count = stories.length
  return (
    <Page title="Delete stories" place="/">
      <div class="shelf storage">
        <h1>{count === 1 ? 'Delete this story?' : `Delete ${formatNumber(count)} stories?`}</h1>
        <p class="lead">
          This deletes all {count === 1 ? 'its' : 'their'} passages and versions for good. Other branches
          stay.
        </p>
        <ul class="backups">
          {stories.map(({ id, title, action_count }) => (
            <li>
              <a class="title" href={storyEndUrl(id)} dir="auto">
                {title}
              </a>
              <span class="about">{countOf(action_count, 'passage')}</span>
            </li>
          ))}
        </ul>
        <form class="row" method="post" action="/adventures/selected">
          <input type="hidden" name="do" value="delete" />
          <input type="hidden" name="confirmed" value="1" />
          {stories.map(({ id }) => (
            <input type="hidden" name={`story:${id}`} value="on" />
          ))}
          <button type="submit" class="danger">
            {count === 1 ? 'Delete story' : `Delete ${formatNumber(count)} stories`}
          </button>
          <a href="/adventures">Cancel</a>
        </form>
      </div>
    </Page>
  )
}

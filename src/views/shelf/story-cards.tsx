import type { AdventureListItem } from '../../domain/adventure.ts'
import { agoInWords } from '../../domain/ago.ts'
import { Cover } from '../cover.tsx'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'

/** Stories, each card for itself: where it was left, and what can be done with it. */
export function StoryCards({ stories, now }: { stories: readonly AdventureListItem[]; now: Date }): Markup {
  return (
    <ul class="cards">
      {stories.map((story) => (
        <li class="card">
          <Cover {...story} />
          <div>
            <h2>
              <a href={`/adventures/${story.id}`}>{story.title}</a>
            </h2>
            <p class="about">
              {story.shelf === 'pinned' ? 'Pinned · ' : ''}
              {story.scenario_title && story.scenario_title !== story.title
                ? `From “${story.scenario_title}” · `
                : ''}
              {story.action_count === 1 ? '1 passage' : `${story.action_count} passages`} ·{' '}
              <time datetime={story.updated_at}>{agoInWords(story.updated_at, now)}</time>
            </p>
            <p class="snippet">{story.snippet || 'Nothing is written yet.'}</p>
            <form class="of-card" method="post" action={`/adventures/${story.id}/shelf`}>
              {story.shelf === 'archived' ? null : (
                <Put on={story.shelf === 'pinned' ? 'open' : 'pinned'} title={story.title}>
                  {story.shelf === 'pinned' ? 'Unpin' : 'Pin'}
                </Put>
              )}
              <Put on={story.shelf === 'archived' ? 'open' : 'archived'} title={story.title}>
                {story.shelf === 'archived' ? 'Take back' : 'Archive'}
              </Put>
            </form>
          </div>
        </li>
      ))}
    </ul>
  )
}

function Put({ on, title, children }: { on: string; title: string; children?: Child }): Markup {
  return (
    <button type="submit" class="quiet" name="shelf" value={on}>
      {children}
      <span class="unseen"> “{title}”</span>
    </button>
  )
}

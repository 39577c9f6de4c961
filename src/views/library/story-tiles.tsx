import type { AdventureListItem } from '../../domain/adventure.ts'
import { agoInWords } from '../ui/time-ago.ts'
import { unmarked } from '../../domain/text/prose-markup.ts'
import { amount } from '../ui/format-number.ts'
import { Cover } from '../ui/cover.tsx'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'

/** Stories, each card for itself: where it was left, and what can be done with it. */
export function StoryCards({ stories, now }: { stories: readonly AdventureListItem[]; now: Date }): Markup {
  return (
    <ul class="cards">
      {stories.map((story) => (
        <li id={`story-${story.id}`} class="card">
          <Cover {...story} />
          <div>
            <h2>
              <a href={`/adventures/${story.id}`} dir="auto">
                {story.title}
              </a>
            </h2>
            <LeftAt story={story} />
            <Foot story={story} now={now} />
          </div>
        </li>
      ))}
    </ul>
  )
}

/** The story to go on with, large: one press leads back into it. */
export function GoOn({ story, now }: { story: AdventureListItem; now: Date }): Markup {
  return (
    <article id={`story-${story.id}`} class="card go-on">
      <Cover {...story} />
      <div>
        <p class="about">Go on</p>
        <h2>
          <a href={`/adventures/${story.id}`} dir="auto">
            {story.title}
          </a>
        </h2>
        <LeftAt story={story} />
        <p class="row">
          <a class="button main" href={`/adventures/${story.id}`}>
            Continue<span class="unseen"> “{story.title}”</span>
          </a>
        </p>
        <Foot story={story} now={now} />
      </div>
    </article>
  )
}

function LeftAt({ story: { title, scenario_title, snippet } }: { story: AdventureListItem }): Markup {
  return (
    <>
      {scenario_title && scenario_title !== title ? <p class="about">From “{scenario_title}”</p> : null}
      {snippet === '' ? (
        <p class="about">Nothing is written yet.</p>
      ) : (
        <p class="snippet" dir="auto">
          {unmarked(snippet)}
        </p>
      )}
    </>
  )
}

function Foot({ story, now }: { story: AdventureListItem; now: Date }): Markup {
  const { id, title, shelf, action_count, updated_at } = story
  return (
    <form class="of-card" method="post" action={`/adventures/${id}/shelf`}>
      <p class="about">
        {shelf === 'pinned' ? 'Pinned · ' : ''}
        {action_count > 1 ? `${amount(action_count)} passages` : 'just begun'} ·{' '}
        <time datetime={updated_at}>{agoInWords(updated_at, now)}</time>
      </p>
      <span class="deeds">
        {shelf === 'archived' ? null : (
          <Put on={shelf === 'pinned' ? 'open' : 'pinned'} title={title}>
            {shelf === 'pinned' ? 'Unpin' : 'Pin'}
          </Put>
        )}
        <Put on={shelf === 'archived' ? 'open' : 'archived'} title={title}>
          {shelf === 'archived' ? 'Take back' : 'Archive'}
        </Put>
      </span>
    </form>
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

import type { AdventureListItem } from '../../domain/adventure.ts'
import { withoutMarkup } from '../../domain/text/prose-markup.ts'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { attributesOfText } from '../prose/prose.tsx'
import { Cover } from '../ui/cover.tsx'
import { formatNumber } from '../ui/format-number.ts'
import { TimeAgo } from '../ui/time.tsx'
import { branchesUrl, storyEndUrl, storyUrl } from '../urls.ts'
import { SELECTED } from './selected-form.tsx'
import { type StoryWithBranches, withBranches } from './with-branches.ts'

/** Each story has a checkbox of {@link SELECTED}. */
export function StoryCards({ stories, now }: { stories: readonly AdventureListItem[]; now: Date }): Markup {
  return (
    <ul class="cards">
      {withBranches(stories).map(({ story, others }) => (
        <li id={`story-${story.id}`} class="card">
          <Cover {...story} />
          <div>
            <Title story={story} />
            <LatestPassage story={story} />
            <Foot story={story} now={now} />
            <Branches story={story} others={others} now={now} />
          </div>
          <Pick story={story} />
        </li>
      ))}
    </ul>
  )
}

function Pick({ story: { id, title } }: { story: AdventureListItem }): Markup {
  return (
    <label class="pick">
      <input type="checkbox" form={SELECTED} name={`story:${id}`} />
      <span class="unseen">Select “{title}”</span>
    </label>
  )
}

function Branches({ story, others, now }: StoryWithBranches & { now: Date }): Markup | null {
  if (others.length === 0) return null
  return (
    <details class="branches-of">
      <summary>
        {others.length + 1} branches<span class="unseen"> of “{story.title}”</span>
      </summary>
      <ul>
        {others.map((branch) => (
          <li class="row">
            <a class="way" href={storyEndUrl(branch.id)} dir="auto" translate="no">
              {branch.branch_name || branch.title}
            </a>
            <span class="about">
              <TimeAgo at={branch.updated_at} now={now} />
            </span>
            <Pick story={branch} />
          </li>
        ))}
      </ul>
      <a href={branchesUrl(story.id)}>Map of the branches</a>
    </details>
  )
}

export function ContinueReading({ story, others, now }: StoryWithBranches & { now: Date }): Markup {
  return (
    <article id={`story-${story.id}`} class="card go-on">
      <Cover {...story} />
      <div>
        <p class="about">Continue reading</p>
        <Title story={story} />
        <LatestPassage story={story} />
        <p class="row">
          <a class="button main" href={storyEndUrl(story.id)}>
            Continue<span class="unseen"> “{story.title}”</span>
          </a>
        </p>
        <Foot story={story} now={now} />
        <Branches story={story} others={others} now={now} />
      </div>
    </article>
  )
}

export function attributesOfStory({ title, snippet, language }: AdventureListItem) {
  return attributesOfText(`${title} ${snippet}`, language)
}

function Title({ story }: { story: AdventureListItem }): Markup {
  return (
    <h2>
      <a href={storyEndUrl(story.id)} {...attributesOfStory(story)}>
        {story.title}
      </a>
    </h2>
  )
}

function LatestPassage({ story }: { story: AdventureListItem }): Markup {
  const { title, scenario_title, snippet } = story
  return (
    <>
      {scenario_title && scenario_title !== title ? <p class="about">From “{scenario_title}”</p> : null}
      {snippet === '' ? (
        <p class="about">Empty story</p>
      ) : (
        <p class="snippet" {...attributesOfStory(story)}>
          {withoutMarkup(snippet)}
        </p>
      )}
    </>
  )
}

function Foot({ story, now }: { story: AdventureListItem; now: Date }): Markup {
  const { id, title, shelf, action_count, updated_at } = story
  return (
    <form class="of-card" method="post" action={`${storyUrl(id)}/shelf`}>
      <p class="about">
        {shelf === 'pinned' ? 'Pinned · ' : ''}
        {action_count > 1 ? `${formatNumber(action_count)} passages` : 'new story'} ·{' '}
        <TimeAgo at={updated_at} now={now} />
      </p>
      <span class="tile-actions">
        {shelf === 'archived' ? null : (
          <ShelfButton shelf={shelf === 'pinned' ? 'open' : 'pinned'} title={title}>
            {shelf === 'pinned' ? 'Unpin' : 'Pin'}
          </ShelfButton>
        )}
        <ShelfButton shelf={shelf === 'archived' ? 'open' : 'archived'} title={title}>
          {shelf === 'archived' ? 'Unarchive' : 'Archive'}
        </ShelfButton>
      </span>
    </form>
  )
}

function ShelfButton({ shelf, title, children }: { shelf: string; title: string; children?: Child }): Markup {
  return (
    <button type="submit" class="quiet" name="shelf" value={shelf}>
      {children}
      <span class="unseen"> “{title}”</span>
    </button>
  )
}

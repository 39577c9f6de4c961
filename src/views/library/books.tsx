import type { ScenarioListItem } from '../../domain/scenario.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { Cover } from '../ui/cover.tsx'
import { formatNumber } from '../ui/format-number.ts'
import { TimeAgo } from '../ui/time.tsx'
import { branchesUrl, storyEndUrl } from '../urls.ts'
import { attributesOfScenario, ScenarioDescription } from './scenario-tiles.tsx'
import { attributesOfStory } from './story-tiles.tsx'
import type { StoryWithBranches } from './with-branches.ts'

export function StoryBook({ story, others, now }: StoryWithBranches & { now: Date }): Markup {
  const { id, title, shelf, action_count, updated_at } = story
  return (
    <li class="book-tile">
      <Cover {...story} />
      <h3>
        <a href={storyEndUrl(id)} {...attributesOfStory(story)}>
          {title}
        </a>
      </h3>
      <p class="about">
        {shelf === 'pinned' ? 'Pinned · ' : ''}
        {action_count > 1 ? `${formatNumber(action_count)} passages` : 'new story'}
        <br />
        <TimeAgo at={updated_at} now={now} />
        {others.length === 0 ? null : (
          <>
            <br />
            <a href={branchesUrl(id)}>
              {others.length + 1} branches<span class="unseen"> of “{title}”</span>
            </a>
          </>
        )}
      </p>
    </li>
  )
}

export function ScenarioBook({ scenario }: { scenario: ScenarioListItem }): Markup {
  return (
    <li class="book-tile">
      <Cover {...scenario} />
      <h3>
        <a href={`/scenarios/${scenario.id}`} {...attributesOfScenario(scenario)}>
          {scenario.title}
        </a>
      </h3>
      <ScenarioDescription scenario={scenario} look="about snippet" />
    </li>
  )
}

export function BlankBook(): Markup {
  return (
    <li class="book-tile">
      <form method="post" action="/adventures">
        <button type="submit" class="blank-book">
          Start a blank story
        </button>
      </form>
      <p class="about">You write the opening yourself.</p>
    </li>
  )
}

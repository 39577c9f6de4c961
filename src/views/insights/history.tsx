import type { History } from '../../app/adventure/history.ts'
import type { StoryEvent } from '../../domain/world/story-events.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { Panel } from '../panels/panel.tsx'
import { insightsUrl, passageUrl, storyUrl } from '../urls.ts'

interface HistoryProps extends History {
  adventureId: number
}

/** Rolls, milestones, flags and large changes, newest first. */
export function HistoryPanel({ adventureId, events, before }: HistoryProps): Markup {
  const turns = Map.groupBy(events, ({ action_id }) => action_id)
  return (
    <Panel adventureId={adventureId} name="history" title="History" class="contents">
      <p class="about">
        Rolls, milestones, flags and large changes; every change is in the{' '}
        <a href={`${insightsUrl(adventureId)}#history`}>change history</a>.
      </p>
      {events.length === 0 ? <p class="about">Nothing notable has happened yet.</p> : null}
      <ul class="events">
        {[...turns.values()].map((ofTurn) => (
          <Turn adventureId={adventureId} events={ofTurn} />
        ))}
      </ul>
      {before === null ? null : (
        <p>
          <a href={`${storyUrl(adventureId, { panel: 'history', until: before })}#panel`}>Earlier</a>
        </p>
      )}
    </Panel>
  )
}

const SIGNS: Record<StoryEvent['kind'], string> = { roll: '⚄ ', milestone: '', flag: '', change: '' }

function Turn({
  adventureId,
  events,
}: {
  adventureId: number
  events: readonly StoryEvent[]
}): Markup | null {
  const [first] = events
  if (first === undefined) return null
  return (
    <li>
      <a class="way" href={passageUrl({ id: first.action_id, adventure_id: adventureId })}>
        Passage {first.index}
      </a>
      <ul class="changes">
        {events.map(({ kind, words }) => (
          <li>
            <span>
              <span aria-hidden="true">{SIGNS[kind]}</span>
              {words}
            </span>
          </li>
        ))}
      </ul>
    </li>
  )
}

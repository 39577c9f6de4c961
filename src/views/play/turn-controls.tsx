import type { LiveTurn } from '../../app/runtime/live-stories.ts'
import type { ActionView } from '../../domain/action.ts'
import { noticeForm } from '../form-attributes.ts'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { Icon } from '../ui/icon.tsx'
import { storyUrl } from '../urls.ts'
import { phaseOf, waitOf } from './telling.tsx'

/** The hidden field names the newest passage. */
export function Tools({ adventureId, newest }: { adventureId: number; newest: ActionView | null }): Markup {
  const isOpening = newest === null || newest.type === 'start'
  return (
    <div id="tools" class="row">
      <input type="hidden" name="newest" value={String(newest?.id ?? 0)} form="composer" />
      <button
        type="submit"
        form="composer"
        name="go_on"
        value="1"
        title="Let the narrator continue; your text stays in the box"
      >
        <Icon sign="continue" /> <span class="name">Continue</span>
      </button>
      <button
        type="submit"
        form="composer"
        name="retry"
        value="1"
        disabled={isOpening}
        title="Generate the last passage again; the old version is kept"
      >
        <Icon sign="retry" /> <span class="name">Retry</span>
      </button>
      <Undo adventureId={adventureId} newest={newest} />
      <StopForm adventureId={adventureId} />
    </div>
  )
}

/** Asks first if several versions would be removed. */
function Undo({ adventureId, newest }: { adventureId: number; newest: ActionView | null }): Markup {
  const versions = newest?.variant_count ?? 1
  const form = (name: Child) => (
    <form {...noticeForm(`${storyUrl(adventureId)}/undo`)}>
      <input type="hidden" name="newest" value={String(newest?.id ?? 0)} />
      <button
        type="submit"
        disabled={newest === null || newest.type === 'start'}
        title="Remove the last turn permanently; your text comes back to the box"
      >
        {name}
      </button>
    </form>
  )
  if (versions < 2) return form(UNDO)
  return (
    <>
      <button type="button" popovertarget="undo-asked">
        {UNDO}
      </button>
      <div id="undo-asked" popover>
        {form(`Undo, and delete ${versions} versions`)}
      </div>
    </>
  )
}

const UNDO = (
  <>
    <Icon sign="undo" /> <span class="name">Undo</span>
  </>
)

function StopForm({ adventureId }: { adventureId: number }): Markup {
  return (
    <form
      class="stop"
      method="post"
      action={`${storyUrl(adventureId)}/stop`}
      hx-post={`${storyUrl(adventureId)}/stop`}
      hx-swap="none"
    >
      <button type="submit">
        <Icon sign="stop" /> Stop
      </button>
    </form>
  )
}

/** Only the phase is a live region: seconds are for reading, not announcing. */
export function Status({ turn, did }: { turn: LiveTurn | null; did: string }): Markup {
  return (
    <p id="status">
      <span id="phase" role="status">
        {turn ? phaseOf(turn) : did}
      </span>
      <span id="waited">{turn ? waitOf(turn) : ''}</span>
    </p>
  )
}

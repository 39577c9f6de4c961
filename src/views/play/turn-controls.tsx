import type { ActionView } from '../../domain/action.ts'
import { noticeForm, regionFrom } from '../form-attributes.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { Icon } from '../ui/icon.tsx'
import { storyUrl } from '../urls.ts'

/** The buttons for the newest passage. Their hidden field says which passage that is. */
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
      <form {...noticeForm(`${storyUrl(adventureId)}/undo`)}>
        <input type="hidden" name="newest" value={String(newest?.id ?? 0)} />
        <button
          type="submit"
          disabled={isOpening}
          title="Remove the last turn with all its versions permanently; your text comes back to the box"
        >
          <Icon sign="undo" /> <span class="name">Undo</span>
        </button>
      </form>
      <StopForm adventureId={adventureId} />
    </div>
  )
}

export function StopForm({ adventureId }: { adventureId: number }): Markup {
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

interface StatusProps {
  adventureId: number
  running: boolean
  did: string
}

/** The status of a running turn. If another tab runs it, this page polls. */
export function Status({ adventureId, running, did }: StatusProps): Markup {
  // Only the phase is a live region: the seconds are for reading, not announcing.
  if (!running)
    return (
      <p id="status">
        <span id="phase" role="status">
          {did}
        </span>
        <span id="waited" />
      </p>
    )
  return (
    <div id="status" {...reloading(adventureId)} hx-trigger="every 2s">
      <span id="phase" role="status">
        A turn of this story is still running, perhaps in another tab. This page updates when it is done.
      </span>
      <StopForm adventureId={adventureId} />
    </div>
  )
}

/** Reloads the end of the story when a stream broke off without saying how the turn ended. */
export function ReloadStory({ adventureId }: { adventureId: number }): Markup {
  return <div id="look-again" {...reloading(adventureId)} hx-trigger="look-again" hidden />
}

function reloading(adventureId: number): Record<string, string> {
  return {
    ...regionFrom(storyUrl(adventureId), '#story'),
    'hx-select-oob': '#tools,#status,#notice,#world-state',
  }
}

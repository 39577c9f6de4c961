import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { Icon } from '../ui/icon.tsx'
import type { PanelName } from '../play/play.tsx'

/** The top of a panel beside the story, with the way to close it. */
export function PanelHead({
  adventureId,
  name,
  children,
}: {
  adventureId: number
  name: PanelName
  children?: Child
}): Markup {
  const href = `/adventures/${adventureId}`
  return (
    <header class="panel-head" data-panel={name}>
      <h2>{children}</h2>
      <a
        class="button"
        href={`${href}#tools`}
        hx-get={href}
        hx-select="#panel"
        hx-target="#panel"
        hx-swap="outerHTML"
      >
        <Icon sign="close" /> Close
      </a>
    </header>
  )
}

import { regionFrom } from '../form-attributes.ts'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { Icon } from '../ui/icon.tsx'
import { type PanelName, storyEndUrl, storyUrl } from '../urls.ts'

export function PanelHead({
  adventureId,
  name,
  children,
}: {
  adventureId: number
  name: PanelName
  children?: Child
}): Markup {
  return (
    <header class="panel-head" data-panel={name}>
      <h2>{children}</h2>
      <a
        class="button close"
        title="Close"
        href={storyEndUrl(adventureId)}
        {...regionFrom(storyUrl(adventureId), '#panel')}
      >
        <Icon sign="close" /> <span class="unseen">Close</span>
      </a>
    </header>
  )
}

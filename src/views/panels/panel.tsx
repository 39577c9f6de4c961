import { regionFrom } from '../form-attributes.ts'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { Icon } from '../ui/icon.tsx'
import { type PanelName, storyEndUrl, storyUrl } from '../urls.ts'

export function Panel({
  adventureId,
  name,
  title,
  label = title,
  children,
  ...attributes
}: {
  adventureId: number
  name: PanelName
  title: string
  /** A shorter name than the title. */
  label?: string
  class?: string
  'x-data'?: string
  'x-on:input'?: string
  children?: Child
}): Markup {
  return (
    <section {...attributes} aria-label={label}>
      <header class="panel-head" data-panel={name}>
        <h2>{title}</h2>
        <a
          class="button close"
          title="Close"
          href={storyEndUrl(adventureId)}
          {...regionFrom(storyUrl(adventureId), '#panel')}
        >
          <Icon sign="close" /> <span class="unseen">Close</span>
        </a>
      </header>
      <div id="panel-notice" class="bad" role="alert" />
      {children}
    </section>
  )
}

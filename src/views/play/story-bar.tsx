import type { Adventure } from '../../domain/adventure.ts'
import { regionFrom } from '../form-attributes.ts'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { ShortcutsButton } from '../keys/shortcut-list.tsx'
import { languageAttributes } from '../prose/prose.tsx'
import { Icon } from '../ui/icon.tsx'
import { branchesUrl, type PanelName, panelUrl, storyUrl } from '../urls.ts'

interface StoryBarProps {
  adventure: Adventure
  /** A BCP 47 tag. */
  language: string
  panel: PanelName | undefined
  hasWorld: boolean
}

/** In sight wherever the story is read. The menu is a popover, which needs no script. */
export function StoryBar({ adventure, language, panel, hasWorld }: StoryBarProps): Markup {
  const { id, title } = adventure
  const link = (name: PanelName, children: Child, isWide = false) => (
    <PanelLink adventureId={id} panel={name} open={panel} isWide={isWide}>
      {children}
    </PanelLink>
  )
  return (
    <header id="story-bar" class="story-head">
      <a class="to-library" href="/" aria-label="Library">
        <Icon sign="back" /> <span>Library</span>
      </a>
      <h1 {...languageAttributes(language)}>{title}</h1>
      {hasWorld ? (
        <button type="button" class="narrow" popovertarget="world">
          World
        </button>
      ) : null}
      {link('plot', 'Plot', true)}
      {link('memory', 'Memory', true)}
      {link(
        'reading',
        <>
          <span aria-hidden="true">Aa</span> <span class="unseen">Text settings</span>
        </>,
      )}
      <button type="button" class="to-menu" popovertarget="story-menu" title="Menu" aria-label="Menu">
        <Icon sign="more" />
      </button>
      <nav id="story-menu" aria-label="This story" popover>
        <div class="small-only">
          {link('plot', 'Plot')}
          {link('memory', 'Memory')}
        </div>
        {link('contents', 'Contents')}
        {link('search', 'Search')}
        {link('insights', 'Insights')}
        {link('export', 'Export')}
        <a href={branchesUrl(id)}>Branches</a>
        <form method="post" action={`${storyUrl(id)}/copy`}>
          <button type="submit" class="quiet">
            Duplicate
          </button>
        </form>
        <form method="post" action={`${storyUrl(id)}/shelf`}>
          <button type="submit" class="quiet" name="shelf" value="archived">
            Archive
          </button>
        </form>
        <details>
          <summary>Delete this story</summary>
          <form method="post" action={`${storyUrl(id)}/delete`}>
            <p class="about">This deletes all its passages and versions for good. Other branches stay.</p>
            <button type="submit" class="danger">
              Delete “{title}”
            </button>
          </form>
        </details>
        <hr />
        <a href="/scenarios">Scenarios</a>
        <a href="/settings">Settings</a>
        <ShortcutsButton />
      </nav>
    </header>
  )
}

interface PanelLinkProps {
  adventureId: number
  panel: PanelName
  open: PanelName | undefined
  isWide: boolean
  children?: Child
}

function PanelLink({ adventureId, panel, open, isWide, children }: PanelLinkProps): Markup {
  return (
    <a
      class={isWide ? 'wide-only' : undefined}
      href={panelUrl(adventureId, panel)}
      {...regionFrom(storyUrl(adventureId, { panel }), '#panel')}
      aria-current={panel === open ? 'true' : undefined}
    >
      {children}
    </a>
  )
}

import { asset } from '../http/assets.ts'
import { DidNote } from './did.tsx'
import { type Child, type Markup, raw } from './jsx/jsx-runtime.ts'
import { KeysButton, KeysSheet } from './keys/shortcut-list.tsx'
import { ReaderSheet } from './reading/reader-stylesheet.tsx'

const DOCTYPE = '<!doctype html>'

const PLACES = [
  ['/', 'Library'],
  ['/scenarios', 'Scenarios'],
  ['/search', 'Search'],
  ['/settings', 'Settings'],
] as const

export interface PageProps {
  title: string
  /** The address in the navigation that this page belongs to. */
  place: string
  /** Seconds after which a page without script is loaded again. */
  refresh?: number | undefined
  /** What was done before it; its title says so too, for that is what is heard first. */
  did?: string | undefined
  children?: Child
}

/** A whole page. Scripts are files of ours and deferred; a page is whole without them. */
export function Page({ title, place, refresh, did = '', children }: PageProps): Markup {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta
          name="viewport"
          content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content"
        />
        <meta name="color-scheme" content="light dark" />
        <meta name="htmx-config" content='{"history":false,"defaultTimeout":0,"defaultSettleDelay":0}' />
        <title>{[did, title === 'Inglenook' ? title : `${title} · Inglenook`].join(' ').trim()}</title>
        <link rel="icon" href={asset('icon.svg')} type="image/svg+xml" />
        <ReaderSheet />
        <link rel="stylesheet" href={asset('app.css')} />
        {['vendor/htmx.js', 'vendor/hx-sse.js', 'vendor/hx-alpine-compat.js'].map((name) => (
          <script src={asset(name)} defer />
        ))}
        <script src={asset('app.js')} type="module" />
        <script src={asset('vendor/alpine.js')} defer />
        {refresh ? (
          <noscript>
            <meta http-equiv="refresh" content={String(refresh)} />
          </noscript>
        ) : null}
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the page
        </a>
        <header class="top">
          <a class="brand" href="/">
            Inglenook
          </a>
          <nav aria-label="Main">
            {PLACES.map(([href, name]) => (
              <a href={href} aria-current={href === place ? 'page' : undefined}>
                {name}
              </a>
            ))}
          </nav>
          <KeysButton />
        </header>
        <main id="main">
          <DidNote sentence={did} />
          {children}
        </main>
        <KeysSheet />
      </body>
    </html>
  )
}

/** A page as it is sent. */
export function pageHtml(page: Markup): string {
  return DOCTYPE + page.html
}

/** Where a streamed page is cut in two: what comes before the narration, and what comes after. */
export const CUT = raw('<!-- the narration streams here -->')

export function cutInTwo(page: Markup): [string, string] {
  const [before = '', after = ''] = pageHtml(page).split(CUT.html)
  return [before, after]
}

/** A sentence that must be seen: what went wrong, or what was done. */
export function Notice({ children }: { children?: Child }): Markup {
  return (
    <div id="notice" role="alert">
      {children}
    </div>
  )
}

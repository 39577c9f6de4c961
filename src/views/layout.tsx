import { asset } from '../http/assets.ts'
import { FIRST_FONTS } from '../http/fonts.ts'
import { FlashMessage } from './flash.tsx'
import type { Child, Markup } from './jsx/jsx-runtime.ts'
import { ShortcutList, ShortcutsButton } from './keys/shortcut-list.tsx'
import { ReaderStylesheet } from './reading/reader-stylesheet.tsx'
import { LibraryProblemNote } from './storage/library-problem.tsx'
import { Icon } from './ui/icon.tsx'

const DOCTYPE = '<!doctype html>'

const NAVIGATION = [
  ['/', 'Library'],
  ['/scenarios', 'Scenarios'],
  ['/search', 'Search'],
  ['/settings', 'Settings'],
] as const

interface PageProps {
  title: string
  /** The address of the navigation item that this page belongs to. */
  place: string
  /** Seconds, for a page without script. */
  refresh?: number | undefined
  /** The flash message. It is part of the title, which screen readers announce first. */
  did?: string | undefined
  /** The page shows the flash message in a place of its own. */
  showsFlash?: boolean
  undo?: Child
  /** The bar at the top, in place of the program's own. */
  bar?: Child
  /** The id of the element that the browser parses before it paints anything. */
  paintsAfter?: string | undefined
  children?: Child
}

/** Complete without its script, a deferred file of our own. */
export function Page(props: PageProps): Markup {
  const { title, place, refresh, did = '', showsFlash, undo, bar, paintsAfter, children } = props
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta
          name="viewport"
          content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content"
        />
        <meta name="color-scheme" content="light dark" />
        <meta
          name="htmx-config"
          content='{"history":false,"includeIndicatorCSS":false,"defaultTimeout":0,"defaultSettleDelay":0}'
        />
        <title>{titleOf([title, did])}</title>
        <link rel="icon" href={asset('icon.svg')} type="image/svg+xml" />
        <link rel="apple-touch-icon" href={asset('apple-touch-icon.png')} />
        <link rel="manifest" href={asset('manifest.webmanifest')} />
        {FIRST_FONTS.map((name) => (
          <link rel="preload" href={asset(`fonts/${name}`)} as="font" type="font/woff2" crossorigin="" />
        ))}
        <ReaderStylesheet />
        <link rel="stylesheet" href={asset('app.css')} />
        <script src={asset('app.js')} defer />
        {paintsAfter === undefined ? null : <link rel="expect" href={`#${paintsAfter}`} blocking="render" />}
        {refresh ? (
          <noscript>
            <meta http-equiv="refresh" content={String(refresh)} />
          </noscript>
        ) : null}
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        {bar ?? <ProgramBar place={place} />}
        <LibraryProblemNote />
        <main id="main">
          {showsFlash ? null : <FlashMessage sentence={did}>{undo}</FlashMessage>}
          {children}
        </main>
        <ShortcutList />
      </body>
    </html>
  )
}

function titleOf(parts: readonly string[]): string {
  return [...new Set([...parts, 'Inglenook'])].filter((part) => part !== '').join(' · ')
}

function ProgramBar({ place }: { place: string }): Markup {
  return (
    <header class="top">
      <a class="brand" href="/">
        Inglenook
      </a>
      <nav aria-label="Main">
        {NAVIGATION.map(([href, name]) => (
          <a href={href} aria-current={href === place ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <ShortcutsButton />
    </header>
  )
}

export function WayBack({ href, children }: { href: string; children?: Child }): Markup {
  return (
    <p class="back">
      <a href={href}>
        <Icon sign="back" /> {children}
      </a>
    </p>
  )
}

export function pageHtml(page: Markup): string {
  return DOCTYPE + page.html
}

export function Notice({ children }: { children?: Child }): Markup {
  return (
    <div id="notice" role="alert">
      {children}
    </div>
  )
}

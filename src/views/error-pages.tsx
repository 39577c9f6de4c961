import type { Markup } from './jsx/jsx-runtime.ts'
import { Page } from './layout.tsx'

/** Shown for an address that has no page. */
export function NotFoundPage({ sentence }: { sentence: string }): Markup {
  return (
    <Page title="Page not found" place="">
      <div class="shelf">
        <h1>Page not found</h1>
        <p class="lead">{sentence}</p>
        <p>
          <a class="button main" href="/">
            Go to your library
          </a>
        </p>
      </div>
    </Page>
  )
}

/** Shown for a request that was refused before any form handled it. */
export function RefusedPage({ sentence }: { sentence: string }): Markup {
  return (
    <Page title="Request refused" place="">
      <div class="shelf">
        <h1>Request refused</h1>
        <p class="lead">{sentence}</p>
        <p>
          Nothing was changed. Use your browser’s Back button to return to what you sent, or{' '}
          <a href="/">go to your library</a>.
        </p>
      </div>
    </Page>
  )
}

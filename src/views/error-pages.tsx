import type { Child, Markup } from './jsx/jsx-runtime.ts'
import { Page } from './layout.tsx'
import { Cover } from './ui/cover.tsx'

export function NotFoundPage({ sentence }: { sentence: string }): Markup {
  return (
    <ErrorPage title="Page not found" sentence={sentence}>
      <a class="button main" href="/">
        Go to your library
      </a>
    </ErrorPage>
  )
}

/** Shown for a request that was refused before any form handled it. */
export function RefusedPage({ sentence }: { sentence: string }): Markup {
  return (
    <ErrorPage title="Request refused" sentence={sentence}>
      Nothing was changed. Use your browser’s Back button to return to what you sent, or{' '}
      <a href="/">go to your library</a>.
    </ErrorPage>
  )
}

interface ErrorPageProps {
  title: string
  sentence: string
  children?: Child
}

function ErrorPage({ title, sentence, children }: ErrorPageProps): Markup {
  return (
    <Page title={title} place="">
      <div class="shelf scenario-head">
        <Cover title={title} icon="" image_url="" />
        <div>
          <h1>{title}</h1>
          <p class="lead">{sentence}</p>
          <p>{children}</p>
        </div>
      </div>
    </Page>
  )
}

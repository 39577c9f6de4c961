import { Elysia } from 'elysia'
import { pageAnswer } from './answer.tsx'
import type { Markup } from './jsx/jsx-runtime.ts'
import { Page } from './layout.tsx'

/** An OpenAPI document, as far as the page reads it (https://spec.openapis.org/oas/v3.1.1). */
export interface OpenApiDocument {
  paths?: Record<string, Record<string, unknown> | undefined>
}

interface Operation {
  summary?: string
  description?: string
  tags?: string[]
}

/** The page about the JSON API. It loads nothing from outside. */
export const docsPage = (document: () => OpenApiDocument) =>
  new Elysia({ name: 'docs', detail: { hide: true } }).get('/api/docs', () =>
    pageAnswer(<Docs document={document()} />),
  )

function Docs({ document }: { document: OpenApiDocument }): Markup {
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods ?? {}).map(([method, operation]) => ({
      path,
      method,
      ...(operation as Operation),
    })),
  )
  const tags = [...new Set(operations.map(({ tags }) => tags?.[0] ?? 'Others'))]
  return (
    <Page title="API" place="">
      <div class="shelf">
        <h1>The JSON API</h1>
        <p>
          For scripts on this machine. Bodies are JSON; every error is <code>{'{"detail", "code"}'}</code>.
          All shapes are in the <a href="/api/openapi.json">OpenAPI document</a>.
        </p>
        {tags.map((tag) => (
          <section>
            <h2>{tag}</h2>
            <dl class="operations">
              {operations
                .filter((operation) => (operation.tags?.[0] ?? 'Others') === tag)
                .map(({ method, path, summary, description }) => (
                  <div>
                    <dt>
                      <code>
                        {method.toUpperCase()} {path}
                      </code>
                    </dt>
                    <dd>
                      {summary} {description ? <small>{description}</small> : null}
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Page>
  )
}

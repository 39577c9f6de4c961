import { Elysia } from 'elysia'
import { API_HEADERS } from '../http/headers.ts'
import { htmlAnswer } from './respond.tsx'
import type { Markup } from './jsx/jsx-runtime.ts'
import { Page, pageHtml } from './layout.tsx'

/** An OpenAPI document, as far as the page reads it (https://spec.openapis.org/oas/v3.1.1). */
export interface OpenApiDocument {
  paths?: Record<string, Record<string, unknown> | undefined>
}

interface Operation {
  path: string
  method: string
  tags?: string[]
  summary?: string
  description?: string
  parameters?: { name: string; in: string }[]
  requestBody?: { content?: Record<string, { schema?: Shape }> }
}

interface Shape {
  properties?: Record<string, unknown>
  examples?: unknown[]
}

/** The page about the JSON API. It loads nothing from outside. */
export const docsPage = (document: () => OpenApiDocument) =>
  new Elysia({ name: 'docs', detail: { hide: true } }).get('/api/docs', () =>
    htmlAnswer(pageHtml(<Docs operations={operationsOf(document())} />), 200, API_HEADERS),
  )

function Docs({ operations }: { operations: Operation[] }): Markup {
  const tags = [...new Set(operations.map(tagOf))]
  return (
    <Page title="API" place="">
      <div class="shelf">
        <h1>The JSON API</h1>
        <p>
          For scripts on this machine. Send bodies as <code>application/json</code>. Every error is{' '}
          <code>{'{"detail": "a sentence", "code": "stable_code"}'}</code>. All shapes are in the{' '}
          <a href="/api/openapi.json">OpenAPI document</a>.
        </p>
        {tags.map((tag) => (
          <section>
            <h2>{tag}</h2>
            <dl class="operations">
              {operations
                .filter((operation) => tagOf(operation) === tag)
                .map((operation) => (
                  <About operation={operation} />
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Page>
  )
}

function About({ operation }: { operation: Operation }): Markup {
  const { method, path, summary, description, parameters = [], requestBody } = operation
  const queries = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
  const shape = requestBody?.content?.['application/json']?.schema
  return (
    <div>
      <dt>
        <code>
          {method.toUpperCase()} {path}
        </code>
      </dt>
      <dd>
        {summary}
        {queries.length > 0 ? <small>Query: {queries.join(', ')}</small> : null}
        {shape ? <small>Body: {Object.keys(shape.properties ?? {}).join(', ')}</small> : null}
        {shape?.examples?.[0] ? <code class="example">{JSON.stringify(shape.examples[0])}</code> : null}
        {description ? <small>{description}</small> : null}
      </dd>
    </div>
  )
}

function operationsOf({ paths = {} }: OpenApiDocument): Operation[] {
  return Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods ?? {}).map(([method, operation]) => ({
        ...(operation as Operation),
        path,
        method,
      })),
    )
}

function tagOf({ tags }: Operation): string {
  return tags?.[0] ?? 'Others'
}

import { Elysia } from 'elysia'
import { API_HEADERS } from '../http/headers.ts'
import type { Markup } from './jsx/jsx-runtime.ts'
import { Page, pageHtml } from './layout.tsx'
import { htmlResponse } from './respond.tsx'

/** The parts of an OpenAPI document that the page uses (https://spec.openapis.org/oas/v3.1.1). */
interface OpenApiDocument {
  paths?: Record<string, Record<string, unknown> | undefined>
}

interface Operation {
  path: string
  method: string
  tags?: string[]
  summary?: string
  description?: string
  parameters?: { name: string; in: string }[]
  requestBody?: { content?: Record<string, { schema?: Schema }> }
}

interface Schema {
  properties?: Record<string, unknown>
  examples?: unknown[]
}

/** Loads nothing from other servers. */
export const apiDocs = (document: () => Promise<OpenApiDocument>) =>
  new Elysia({ name: 'docs', detail: { hide: true } })
    .get('/api/openapi.json', document)
    .get('/api/docs', async () =>
      htmlResponse(pageHtml(<Docs operations={operationsOf(await document())} />), 200, API_HEADERS),
    )

function Docs({ operations }: { operations: Operation[] }): Markup {
  const tags = [...new Set(operations.map(tagOf))]
  return (
    <Page title="API" place="">
      <div class="shelf">
        <h1>JSON API</h1>
        <p>
          For scripts on this machine. Send bodies as <code>application/json</code>. Every error has the form{' '}
          <code>{'{"detail": "a sentence", "code": "stable_code"}'}</code>. The{' '}
          <a href="/api/openapi.json">OpenAPI document</a> has all schemas.
        </p>
        {tags.map((tag) => (
          <section>
            <h2>{tag}</h2>
            <dl class="operations">
              {operations
                .filter((operation) => tagOf(operation) === tag)
                .map((operation) => (
                  <OperationEntry operation={operation} />
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Page>
  )
}

function OperationEntry({ operation }: { operation: Operation }): Markup {
  const { method, path, summary, description, parameters = [], requestBody } = operation
  const queries = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
  const schema = requestBody?.content?.['application/json']?.schema
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
        {schema ? <small>Body: {Object.keys(schema.properties ?? {}).join(', ')}</small> : null}
        {schema?.examples?.[0] ? <code class="example">{JSON.stringify(schema.examples[0])}</code> : null}
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

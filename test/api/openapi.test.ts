import { describe, expect, test } from 'bun:test'
import { Kind, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { createApp } from '../../src/app/app.ts'
import { statusOfCode } from '../../src/domain/errors.ts'
import { Problem } from '../../src/http/problem.ts'
import { createServer } from '../../src/server.ts'
import { everyRoute, NO_ACCESS } from '../support/service/routes.ts'
import { startServer } from '../support/service/server.ts'

interface Documented {
  description: string
  content?: Record<string, { schema?: object }>
}

interface Operation {
  parameters?: { in: string; schema: object }[]
  requestBody?: { required?: boolean; content: Record<string, { schema?: object }> }
  responses?: Record<string, Documented>
}

const server = await startServer()
const { body: document } = await server.get('/api/openapi.json')
const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
)

describe('the OpenAPI document', () => {
  test('covers the whole API', () => {
    expect(operations.length).toBe(89)
  })

  for (const operation of operations)
    test(`${operation.method} ${operation.path} documents its responses`, () => {
      const responses = operation.responses ?? {}
      expect(successesOf(responses)).not.toEqual([])
      for (const [status, response] of successesOf(responses)) expect(hasBody(status, response)).toBe(true)
      for (const status of requiredErrors(operation)) expect(Object.keys(responses)).toContain(String(status))
      for (const [status, { description, content }] of Object.entries(responses)) {
        if (Number(status) < 400) continue
        expect(content).toMatchObject({
          'application/json': { schema: { $ref: '#/components/schemas/Problem' } },
        })
        for (const code of description.split(', '))
          expect(statusOfCode(code as 'internal')).toBe(Number(status))
      }
    })

  test('says of each body whether it may be missing, and that it has no other keys', () => {
    const bodies = operations.flatMap(({ path, method, requestBody }) => {
      const schema = requestBody?.content['application/json']?.schema as { type?: string } | undefined
      return schema?.type === 'object'
        ? [{ of: `${method} ${path}`, required: requestBody?.required, schema }]
        : []
    })
    expect(bodies.length).toBeGreaterThan(20)
    // That body has a key for each stat.
    expect(bodies.filter(({ schema }) => !('additionalProperties' in schema)).map(({ of }) => of)).toEqual([
      'put /api/adventures/{id}/world-state',
    ])
    const mayBeMissing = bodies.filter(({ required }) => !required).map(({ of }) => of)
    expect(mayBeMissing).toContain('post /api/adventures')
    expect(mayBeMissing).not.toContain('post /api/adventures/{id}/actions')
  })

  test('says of a number in a query that it is one', () => {
    const queries = operations.flatMap(({ parameters = [] }) =>
      parameters.filter((one) => one.in === 'query'),
    )
    expect(queries.length).toBeGreaterThan(20)
    expect(queries.filter(({ schema }) => 'anyOf' in schema)).toEqual([])
  })

  test('a route without documentation is noticed', () => {
    expect(successesOf({})).toEqual([])
    expect(hasBody('200', { description: '' })).toBe(false)
    expect(hasBody('200', { description: '', content: { 'application/json': {} } })).toBe(false)
    expect(requiredErrors({ parameters: [{ in: 'path', schema: {} }], requestBody: { content: {} } })).toEqual([403, 500, 404, 422, 400, 413, 422]) // biome-ignore format: one list
  })

  test('describes errors as they are sent', async () => {
    expect(document.components.schemas.Problem).toEqual(JSON.parse(JSON.stringify(Problem)))
    const { body: missing } = await server.get('/api/scenarios/999')
    const { body: invalid } = await server.post('/api/adventures', { title: 3 })
    const { body: scenario } = await server.post('/api/scenarios', { title: 'The Lamp Road' })
    const { body: conflict } = await server.send('PATCH', `/api/scenarios/${scenario.id}`, {
      title: 'The Bell Road',
      was: { title: 'Another road' },
    })
    for (const problem of [missing, invalid, conflict])
      expect([...Value.Errors(strict(Problem), problem)]).toEqual([])
    expect(invalid.errors).toHaveLength(1)
    expect(conflict.clashes).toHaveLength(1)
  })
})

describe('every route', () => {
  const undocumented: string[] = []
  const mismatches: string[] = []
  let checked = 0

  test('can be asked', async () => {
    const routes = (await everyRoute(server)).filter(({ isApi, route }) => isApi && !SLOW.has(route))
    const shapes = await responseShapes()
    for (const { method, route, path, example } of routes.sort(deletionsLast)) {
      const known = document.paths[route.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]?.responses
      if (known === undefined) continue
      for (const [to, body] of requestsTo(path, example)) {
        const response = await server.ask(to, method === 'GET' ? {} : jsonRequest(method, body))
        const text = await response.text()
        if (!(response.status in known)) undocumented.push(`${method} ${to}: ${response.status}`)
        const shape = shapes.get(`${method} ${route} ${response.status}`)
        if (response.status > 299 || shape === undefined) continue
        checked++
        const [fault] = Value.Errors(shape, JSON.parse(text))
        if (fault) mismatches.push(`${method} ${to}: ${fault.path} ${fault.message}`)
      }
    }
  })

  test('responds with a status that is documented', () => {
    expect(undocumented).toEqual([])
  })

  test('responds with what is documented, and nothing else', () => {
    expect(checked).toBeGreaterThan(40)
    expect(mismatches).toEqual([])
  })
})

/** An unknown id, one that is none, a body with wrong types, and the documented example. */
function requestsTo(path: string, example: unknown): [path: string, body: unknown][] {
  return [
    [path.replace(/\/\d+/g, '/99999'), example ?? {}],
    [path.replace(/\/\d+/, '/x'), example ?? {}],
    [path, { title: 1, text: 1, type: 1, index: 'a', name: 1, messages: 1, temperature: 'a', theme: 1 }],
    [path, example ?? {}],
  ]
}

function jsonRequest(method: string, body: unknown): RequestInit {
  return { method, body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
}

/** The shapes of JSON responses, by method, route and status. */
async function responseShapes(): Promise<Map<string, TSchema>> {
  const app = await createServer(createApp(server.deps), NO_ACCESS)
  return new Map(
    app.routes.flatMap(({ method, path, hooks }) =>
      Object.entries<TSchema>(hooks.response ?? {}).map(([status, shape]) => [
        `${method} ${path} ${status}`,
        checkable(shape),
      ]),
    ),
  )
}

/** The documented shape, which then allows no other keys. */
function checkable(shape: TSchema): TSchema {
  if (shape[Kind] === 'Documented') return shape.allOf ? checkable(shape.allOf[0]) : Type.Unknown()
  const { properties, items, anyOf } = shape
  return {
    ...shape,
    ...(properties && {
      additionalProperties: shape.additionalProperties ?? false,
      properties: Object.fromEntries(
        Object.entries<TSchema>(properties).map(([name, property]) => [name, checkable(property)]),
      ),
    }),
    ...(items && { items: checkable(items) }),
    ...(anyOf && { anyOf: anyOf.map(checkable) }),
  }
}

/** They search this machine, or play whole turns. */
const SLOW = new Set([
  '/api/settings/detect',
  '/api/adventures/:id/actions',
  '/api/adventures/:id/retry',
  '/api/adventures/:id/suggestions',
  '/api/practice/v1/chat/completions',
])

function deletionsLast(one: { method: string }, other: { method: string }): number {
  return Number(one.method === 'DELETE') - Number(other.method === 'DELETE')
}

function successesOf(responses: Record<string, Documented>): [string, Documented][] {
  return Object.entries(responses).filter(([status]) => Number(status) < 300)
}

/** 204, a JSON body with a schema, or another content type. */
function hasBody(status: string, { content = {} }: Documented): boolean {
  if (status === '204') return Object.keys(content).length === 0
  const schemas = Object.entries(content).flatMap(([type, { schema }]) =>
    type === 'text/event-stream' ? [] : [schema],
  )
  if (schemas.length === 0) return 'text/event-stream' in content
  return schemas.length > 0 && schemas.every((schema) => schema && Object.keys(schema).length > 0)
}

/** The errors that follow from the form of a route: the guard, ids in the path, a body. */
function requiredErrors({ parameters = [], requestBody }: Operation): number[] {
  const hasId = parameters.some((parameter) => parameter.in === 'path')
  return [403, 500, ...(hasId ? [404, 422] : []), ...(requestBody ? [400, 413, 422] : [])]
}

function strict<T extends object>(shape: T): T {
  return { ...shape, additionalProperties: false }
}

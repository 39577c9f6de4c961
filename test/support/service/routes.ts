import { createApp } from '../../../src/app/app.ts'
import type { Access } from '../../../src/http/guard.ts'
import { createServer } from '../../../src/server.ts'
import { dataUri, png } from '../files/pictures.ts'
import { playTurn } from './events.ts'
import { proposeCard } from './proposed-card.ts'
import type { TestServer } from './server.ts'

/** A route with a path that exists: its ids are filled in. */
export interface RouteRequest {
  method: string
  /** The path as declared. */
  route: string
  path: string
  isApi: boolean
  /** The example body in the OpenAPI document; null if there is none. */
  example: unknown
}

/** For a service that is only asked for its routes. */
export const NO_ACCESS: Access = {
  hosts: () => new Set(),
  listedHosts: () => new Set(),
  origins: new Set(),
}

/** Fills a library so that every route has something to show, and lists all routes of the API and the pages. */
export async function everyRoute(server: TestServer): Promise<RouteRequest[]> {
  const ids = await seed(server)
  const app = await createServer(createApp(server.deps), NO_ACCESS)
  const { paths } = (await server.get('/api/openapi.json')).body
  const known = app.routes.filter(({ method, path }) => method !== 'ALL' && !NOT_FOUND.has(path))
  return known.map(({ method, path: route }): RouteRequest => {
    const documented = paths[route.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
    return {
      method,
      route,
      path: withIds(route, ids),
      isApi: route.startsWith('/api'),
      example: documented?.requestBody?.content['application/json']?.schema.examples[0] ?? null,
    }
  })
}

/** Fields with which any form does something. */
export const FORM_FIELDS =
  'title=Stolen&text=Stolen&type=do&name=Stolen&do=delete&where=later&index=0&up_to=&model=Stolen'

/** The queries with which a route shows something else, by route; without one where none is listed. */
export const QUERIES: Record<string, string[]> = {
  '/api/story-cards': ['?scenario_id=1'],
  '/api/story-cards/export': ['?scenario_id=1'],
  '/adventures/:id': [
    '',
    '?panel=memory',
    '?panel=plot',
    '?world=edit',
    '?edit=1',
    '?rewrite=1',
    '?rewrite=3',
    '?before=2',
    '?at=1',
  ],
  '/adventures/:id/branches': ['', '?zoom=1', '?with=1'],
  '/adventures/:id/insights': ['', '?turn=3'],
  '/scenarios/:id/edit': ['', '?tab=stats', '?tab=cards', '?tab=questions', '?tab=cover'],
  '/search': ['', '?q=lamp'],
  '/api/search': ['', '?q=lamp'],
  '/api/adventures/:id/export': ['', '?format=epub', '?format=html', '?format=jsonl', '?format=legacy'],
}

/** The routes that answer 404 below the API. */
const NOT_FOUND = new Set(['/api', '/api/*'])

type Ids = Record<'scenario' | 'adventure' | 'action' | 'memory' | 'proposal' | 'card', number>

async function seed(server: TestServer): Promise<Ids> {
  const { body: scenario } = await server.post('/api/scenarios', {
    title: 'The Lamp Road',
    prompt: '${Your name} waits.',
    image: dataUri(png()),
    stat_schema: { player: { warmth: { initial: 9, min: 0 } } },
  })
  const owner = { scenario_id: scenario.id }
  const { body: card } = await server.post('/api/story-cards', { ...owner, name: 'Lamp', keys: 'lamp' })
  const { body: adventure } = await server.post('/api/adventures', {
    ...owner,
    placeholders: { 'Your name': 'Mira' },
  })
  await playTurn(server, adventure.id, { type: 'do', text: 'light the lamp' })
  await playTurn(server, adventure.id, { type: 'do', text: 'wait' })
  const { actions } = (await server.get(`/api/adventures/${adventure.id}`)).body
  const { body: memory } = await server.post(`/api/adventures/${adventure.id}/memories`, { text: 'A lamp.' })
  const proposal = proposeCard(server, adventure.id, actions.at(-1))
  return {
    scenario: scenario.id,
    adventure: adventure.id,
    action: actions.at(-1).id,
    memory: memory.id,
    proposal,
    card: card.id,
  }
}

function withIds(route: string, ids: Ids): string {
  const owner = /^(?:\/api)?\/(scenarios|adventures|story-cards)\b/.exec(route)?.[1]
  const own = { scenarios: ids.scenario, adventures: ids.adventure, 'story-cards': ids.card }
  const values: Record<string, string | number> = {
    id: own[owner as keyof typeof own],
    action: ids.action,
    memory: ids.memory,
    proposal: ids.proposal,
    upload: 'unknown',
    backup: 'unknown.db',
    file: 'literata-latin-400-normal.woff2',
    name: 'htmx.js',
  }
  return route
    .replace(/:(\w+)/g, (_, name: string) => {
      if (values[name] === undefined) throw new Error(`No value is known for :${name} of ${route}`)
      return String(values[name])
    })
    .replace('*', 'nowhere')
}

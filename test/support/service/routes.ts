import { createServer } from '../../../src/server.ts'
import { playTurn } from './events.ts'
import { dataUri, png } from '../files/pictures.ts'
import type { TestServer } from './server.ts'

/** A route as it can be asked for: with ids of rows that are there. */
export interface Asked {
  method: string
  /** As it is declared. */
  route: string
  path: string
  isApi: boolean
  /** A body that the API's documentation gives as an example; null where it takes none. */
  example: unknown
}

/** Fills a library so that every route has something to show, and gives all routes of both faces as the service knows them. */
export async function everyRoute(server: TestServer): Promise<Asked[]> {
  const ids = await furnish(server)
  const app = await createServer(server.deps, { hosts: () => new Set(), origins: new Set() })
  const { paths } = (await server.get('/api/openapi.json')).body
  const known = app.routes.filter(({ method, path }) => method !== 'ALL' && !NOT_FOUND.has(path))
  return known.map(({ method, path: route }): Asked => {
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

/** Where there is nothing under the API. */
const NOT_FOUND = new Set(['/api', '/api/*'])

type Ids = Record<'scenario' | 'adventure' | 'action' | 'memory' | 'card', number>

async function furnish(server: TestServer): Promise<Ids> {
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
  return {
    scenario: scenario.id,
    adventure: adventure.id,
    action: actions.at(-1).id,
    memory: memory.id,
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
    deed: 'delete',
    name: 'htmx.js',
  }
  return route
    .replace(/:(\w+)/g, (_, name: string) => {
      if (values[name] === undefined) throw new Error(`No value is known for :${name} of ${route}`)
      return String(values[name])
    })
    .replace('*', 'nowhere')
}

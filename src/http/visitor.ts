import { AsyncLocalStorage } from 'node:async_hooks'
import { Elysia } from 'elysia'
import { StoryError } from '../domain/errors.ts'

interface Visitor {
  host: string
  /** Aborts with a StoryError when access is revoked; null before access is granted. */
  allowed: AbortSignal | null
  /** Adds the device to the waiting ones. Returns the code to show on its screen; null if too many wait. */
  wait(): string | null
}

const visitors = new AsyncLocalStorage<Visitor>()

/**
 * Runs a handler for another device, known as `currentVisitor` inside. A request body breaks off when access is
 * revoked, so that nothing of it is stored.
 */
export function answerVisitor<T>(visitor: Visitor, request: Request, answer: (request: Request) => T): T {
  return visitors.run(visitor, () => {
    const { body } = request
    return answer(body ? new Request(request, { body: untilRevoked(body) }) : request)
  })
}

export function currentVisitor(): Visitor | null {
  return visitors.getStore() ?? null
}

export function untilRevoked(bytes: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const allowed = currentVisitor()?.allowed
  return allowed ? bytes.pipeThrough(new TransformStream(), { signal: allowed }) : bytes
}

const MACHINE_ONLY = [
  '/devices',
  '/settings',
  '/storage',
  '/quit',
  '/api/devices',
  '/api/settings',
  '/api/engine',
  '/api/backup',
]

/** Other devices see only the reading settings on the settings page. */
const EXCEPTIONS = new Set(['GET /settings', 'HEAD /settings', 'POST /settings/reading'])

export function isMachineOnly(method: string, route: string): boolean {
  if (EXCEPTIONS.has(`${method} ${route}`)) return false
  return MACHINE_ONLY.some((start) => route === start || route.startsWith(`${start}/`))
}

/** Throws machine_only for another device. */
export function expectMachine(): void {
  if (currentVisitor() === null) return
  throw new StoryError('machine_only', 'This can only be done on the machine that runs Inglenook.')
}

/** Refuses reserved routes to other devices, by route, so that no other spelling of a path gets through. */
export const machineOnly = new Elysia({ name: 'machine-only' }).onTransform(
  { as: 'global' },
  ({ request, route }) => {
    if (isMachineOnly(request.method, route)) expectMachine()
  },
)

import { AsyncLocalStorage } from 'node:async_hooks'
import { Elysia } from 'elysia'
import { StoryError } from '../domain/errors.ts'

/** Another device, whose request came to the listener for other devices. */
interface Visitor {
  /** What its Host header must say. */
  host: string
  /** Aborted with a StoryError when the access of the device is revoked; null while it is not allowed. */
  allowed: AbortSignal | null
  /** Puts it among the devices that wait. Returns the code to show on its screen; null where too many wait. */
  wait(): string | null
}

const visitors = new AsyncLocalStorage<Visitor>()

/**
 * Answers a request of another device, which `currentVisitor` then knows wherever the answer is made. A body that is still
 * being sent when the access of the device is revoked breaks off, so that nothing of it is written.
 */
export function answerVisitor<T>(visitor: Visitor, request: Request, answer: (request: Request) => T): T {
  return visitors.run(visitor, () => {
    const { body } = request
    return answer(body ? new Request(request, { body: untilRevoked(body) }) : request)
  })
}

/** The device that asks; null for this machine itself. */
export function currentVisitor(): Visitor | null {
  return visitors.getStore() ?? null
}

/** The bytes, which break off when the access of the device that gets them is revoked. */
export function untilRevoked(bytes: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const allowed = currentVisitor()?.allowed
  return allowed ? bytes.pipeThrough(new TransformStream(), { signal: allowed }) : bytes
}

/** Prefixes of the routes that other devices may not use, even when they are allowed. */
const RESERVED = [
  '/devices',
  '/settings',
  '/storage',
  '/quit',
  '/api/devices',
  '/api/settings',
  '/api/engine',
  '/api/backup',
]

/** The settings page shows other devices the settings of reading alone. */
const OPEN = new Set(['GET /settings', 'HEAD /settings', 'POST /settings/reading'])

/** Whether a route answers on this machine alone. */
export function isMachineOnly(method: string, route: string): boolean {
  if (OPEN.has(`${method} ${route}`)) return false
  return RESERVED.some((start) => route === start || route.startsWith(`${start}/`))
}

/** Throws machine_only for another device. */
export function expectMachine(): void {
  if (currentVisitor() === null) return
  throw new StoryError('machine_only', 'This can only be done on the machine that runs Inglenook.')
}

/** Refuses other devices what only the machine itself may do. By route, so that no other spelling of a path comes through. */
export const machineOnly = new Elysia({ name: 'machine-only' }).onTransform(
  { as: 'global' },
  ({ request, route }) => {
    if (isMachineOnly(request.method, route)) expectMachine()
  },
)

import { Elysia } from 'elysia'
import { StoryError } from '../../domain/errors.ts'
import { currentVisitor } from './visitor.ts'

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

import { type Static, Type } from '@sinclair/typebox'
import { StoryError } from '../../domain/errors.ts'
import { hashOf } from '../../lib/hash.ts'
import { nullable, oneOf } from '../../lib/typebox.ts'
import type { Deps } from '../deps.ts'
import { AllowedDevice, WaitingDevice } from './devices.ts'

/** Reading on other devices as the player sees it. */
export const DevicesReport = Type.Object({
  listening: nullable(Type.String({ description: 'The address for other devices; null while that is off' })),
  addresses: Type.Array(Type.String(), { description: 'The addresses of this machine to choose from' }),
  port: Type.Integer({ description: 'The port that is proposed' }),
  waiting: Type.Array(WaitingDevice, {
    description: 'Devices that wait to be allowed, with the code that their screens show',
  }),
  allowed: Type.Array(AllowedDevice, {
    description: 'Allowed devices; until null, they are until this is switched off',
  }),
})

export type DevicesReport = Static<typeof DevicesReport>

export const deviceListener = () =>
  Type.Object(
    {
      address: Type.String({ maxLength: 100, description: 'An IP address of this machine' }),
      port: Type.Integer({ minimum: 0, maximum: 65_535, description: '0 for any free one' }),
    },
    { examples: [{ address: '127.0.0.1', port: 0 }] },
  )

export const deviceAllowance = () =>
  Type.Object(
    {
      address: Type.String({ maxLength: 100 }),
      code: Type.String({ maxLength: 100, description: 'What the screen of the device shows' }),
      until: Type.Optional(oneOf(['today', 'switched off'])),
    },
    { examples: [{ address: '192.168.1.20', code: 'K7RM', until: 'today' }] },
  )

export function devicesReport({ network, devices }: Deps): DevicesReport {
  return {
    listening: network.listening(),
    addresses: network.addresses(),
    port: network.port(),
    waiting: devices.waiting(),
    allowed: devices.allowed(),
  }
}

/** Identifies the content of a report, so that a page knows whether it has changed. */
export function reportHash(report: DevicesReport): string {
  return hashOf(JSON.stringify(report))
}

/** Also listens on another address of this machine, in place of an earlier one. Throws invalid. */
export async function openToDevices(
  deps: Deps,
  { address, port }: Static<ReturnType<typeof deviceListener>>,
): Promise<DevicesReport> {
  await deps.network.open(address, port)
  return devicesReport(deps)
}

/** Stops listening for other devices, and revokes the access of those that were allowed. */
export async function closeToDevices({ network }: Deps): Promise<void> {
  await network.close()
}

/** Allows a device, by default until the end of the day. Throws not_found if none waits with that address and code. */
export function allowDevice(
  deps: Deps,
  { address, code, until = 'today' }: Static<ReturnType<typeof deviceAllowance>>,
): DevicesReport {
  const end = until === 'today' ? midnightAfter(deps.now()) : null
  if (deps.devices.allow(address, code, end)) return devicesReport(deps)
  throw new StoryError(
    'not_found',
    'No device is waiting with this address and code. Compare the code on both screens once more.',
  )
}

/** Revokes the access of a device, and cuts off the response that is being sent to it. */
export function revokeDevice(deps: Deps, address: string): DevicesReport {
  deps.devices.revoke(address)
  return devicesReport(deps)
}

function midnightAfter(now: Date): Date {
  const end = new Date(now)
  end.setHours(24, 0, 0, 0)
  return end
}

import { Type } from '@sinclair/typebox'
import type { App } from '../app/app.ts'
import { type DevicesReport, deviceAllowance, deviceListener } from '../app/devices/use-devices.ts'
import { jsonBody, jsonRoutes } from '../http/body.ts'
import { documented, nullable, Time } from '../lib/typebox.ts'
import { BODY_ERRORS, noContent, ok } from './responses.ts'

// `until` becomes text only after the framework has checked a response.
const Devices = documented<DevicesReport>(
  Type.Object({
    listening: nullable(
      Type.String({ description: 'The address for other devices; null while that is off' }),
    ),
    addresses: Type.Array(Type.String(), { description: 'The addresses of this machine to choose from' }),
    port: Type.Integer({ description: 'The port that is proposed' }),
    waiting: Type.Array(Type.Object({ address: Type.String(), word: Type.String() }), {
      description: 'Devices to let in, with the word that their screens show',
    }),
    allowed: Type.Array(Type.Object({ address: Type.String(), until: nullable(Time) }), {
      description: 'Devices that are let in; until null, they are until this is switched off',
    }),
  }),
)

const device = () =>
  Type.Object({ address: Type.String({ maxLength: 100 }) }, { examples: [{ address: '192.168.1.20' }] })

/** Reading on other devices. All of it answers on this machine alone. */
export const devicesApi = (app: App) =>
  jsonRoutes('/api/devices', 'Devices')
    .get('', () => app.devicesReport(), {
      response: ok(Devices, 'machine_only'),
      detail: { summary: 'Get whether other devices can read, and which are waiting or let in' },
    })
    .put('', ({ body }) => app.openToDevices(body), {
      ...jsonBody(deviceListener()),
      response: ok(Devices, 'machine_only', ...BODY_ERRORS),
      detail: { summary: 'Listen for other devices at an address of this machine; all are shut out first' },
    })
    .delete(
      '',
      async ({ set }) => {
        await app.closeToDevices()
        set.status = 204
      },
      { detail: { summary: 'Shut all other devices out', responses: noContent('machine_only') } },
    )
    .post('/allow', ({ body }) => app.allowDevice(body), {
      ...jsonBody(deviceAllowance()),
      response: ok(Devices, 'machine_only', 'not_found', ...BODY_ERRORS),
      detail: { summary: 'Let a waiting device in, for today (until midnight) if nothing else is said' },
    })
    .post('/shut-out', ({ body }) => app.shutOutDevice(body.address), {
      ...jsonBody(device()),
      response: ok(Devices, 'machine_only', ...BODY_ERRORS),
      detail: { summary: 'Shut a device out; what it is being sent breaks off' },
    })

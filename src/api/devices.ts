import { Type } from '@sinclair/typebox'
import type { App } from '../app/app.ts'
import { DevicesReport, deviceAllowance, deviceListener } from '../app/devices/use-devices.ts'
import { jsonBody, jsonRoutes } from '../http/body.ts'
import { documented } from '../lib/typebox.ts'
import { BODY_ERRORS, noContent, ok } from './responses.ts'

const Devices = documented(DevicesReport)

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
    .delete('', () => app.closeToDevices(), { ...noContent('Shut all other devices out', 'machine_only') })
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

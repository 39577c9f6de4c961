import { Type } from '@sinclair/typebox'
import type { App } from '../app/app.ts'
import { DevicesReport, deviceAllowance, deviceListener } from '../app/devices/use-devices.ts'
import { jsonBody, jsonRoutes } from '../http/body.ts'
import { ERRORS, noContent, ok } from './responses.ts'

const device = () =>
  Type.Object({ address: Type.String({ maxLength: 100 }) }, { examples: [{ address: '192.168.1.20' }] })

export const devicesApi = (app: App) =>
  jsonRoutes('/api/devices', 'Devices')
    .get('', () => app.devicesReport(), {
      response: ok(DevicesReport, 'machine_only'),
      detail: { summary: 'Get whether other devices can connect, and which are waiting or allowed' },
    })
    .put('', ({ body }) => app.openToDevices(body), {
      ...jsonBody(deviceListener()),
      response: ok(DevicesReport, 'machine_only', ...ERRORS.body),
      detail: {
        summary: 'Listen for other devices at an address of this machine; the access of all is revoked first',
      },
    })
    .delete('', () => app.closeToDevices(), {
      ...noContent('Revoke the access of all other devices', 'machine_only'),
    })
    .post('/allow', ({ body }) => app.allowDevice(body), {
      ...jsonBody(deviceAllowance()),
      response: ok(DevicesReport, 'machine_only', 'not_found', ...ERRORS.body),
      detail: { summary: 'Allow a waiting device, for today (until midnight) if nothing else is said' },
    })
    .post('/revoke', ({ body }) => app.revokeDevice(body.address), {
      ...jsonBody(device()),
      response: ok(DevicesReport, 'machine_only', ...ERRORS.body),
      detail: { summary: 'Revoke the access of a device; what it is being sent breaks off' },
    })

import type { App } from '../../app/app.ts'
import { deviceAllowance, deviceListener, reportHash } from '../../app/devices/use-devices.ts'
import { matching } from '../../domain/validation.ts'
import { formRoutes } from '../form-routes.ts'
import { formResponse, htmlResponse, isFragment, pageResponse, seeOther } from '../respond.tsx'
import { DevicesPage } from './devices.tsx'

const DEVICES = '/devices'

/** These forms work only on this machine. */
export const deviceRoutes = (app: App) => {
  const handle = (request: Request, change: () => unknown) =>
    formResponse(
      request,
      async () => {
        await change()
        return seeOther(request, DEVICES)
      },
      (notice) => <DevicesPage report={app.devicesReport()} notice={notice} />,
    )
  return formRoutes(DEVICES)
    .get('', ({ query, request }) => {
      const report = app.devicesReport()
      // htmx then leaves the page as it is, and the focus where it is.
      if (isFragment(request) && query.seen === reportHash(report)) return htmlResponse('', 204)
      return pageResponse(<DevicesPage report={report} />)
    })
    .post('', ({ fields, request }) =>
      handle(request, () => {
        const { other = '', address = '', port = '' } = fields
        const typed = { address: other.trim() || address, port: port === '' ? null : Number(port) }
        return app.openToDevices(matching(deviceListener(), typed))
      }),
    )
    .post('/off', ({ request }) => handle(request, () => app.closeToDevices()))
    .post('/allow', ({ fields, request }) =>
      handle(request, () => {
        const { address, code, until } = fields
        return app.allowDevice(matching(deviceAllowance(), { address, code, ...(until && { until }) }))
      }),
    )
    .post('/revoke', ({ fields, request }) => handle(request, () => app.revokeDevice(fields.address ?? '')))
}

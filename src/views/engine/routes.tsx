import type { App } from '../../app/app.ts'
import { formRoutes } from '../form-routes.ts'
import { formResponse, htmlResponse, idFrom, isFragment, pageResponse, seeOther } from '../respond.tsx'
import { engineUrl, storyUrl } from '../urls.ts'
import { EnginePage, EngineStatus, isUnderWay } from './engine-page.tsx'
import { ModelFiles } from './model-files.tsx'

export const engineRoutes = (app: App) =>
  formRoutes('/settings/engine')
    .get('', async ({ query, request }) => {
      const report = await app.engineReport()
      const id = idFrom(query.story)
      // The story waits for the engine, which loads the model by itself.
      if (id > 0 && !['fetching', 'absent'].includes(report.state.kind))
        return seeOther(request, storyUrl(id))
      const next = id > 0 ? String(id) : ''
      if (!isFragment(request)) return pageResponse(<EnginePage report={report} next={next} />)
      // When the work has ended, other parts of the page are different too.
      if (!isUnderWay(report.state)) return seeOther(request, engineUrl(next))
      return htmlResponse(<EngineStatus report={report} next={next} />)
    })
    .post('/find', async ({ query, request }) => {
      const found = await app.findModels()
      const report = await app.engineReport()
      const scenario = query.play === undefined ? undefined : idFrom(query.play) || null
      if (isFragment(request))
        return htmlResponse(<ModelFiles found={found} report={report} scenario={scenario} />)
      return pageResponse(<EnginePage report={report} found={found} />)
    })
    .post('/use', ({ fields, request }) => {
      const { model_file = '' } = fields
      return handled(request, app, model_file, async () => {
        await app.chooseModelFile(model_file)
        return seeOther(request, engineUrl(''))
      })
    })
    .post('/play', ({ fields, request }) => {
      const { model_file = '', scenario_id } = fields
      return handled(request, app, model_file, async () => {
        await app.chooseModelFile(model_file)
        const scenario = idFrom(scenario_id)
        const id = app.createAdventure(scenario > 0 ? { scenario_id: scenario } : {})
        app.fetchEngineFor(false)
        return seeOther(request, engineUrl(String(id)))
      })
    })
    .post('/get', ({ fields, request }) => {
      app.fetchEngineFor(fields.graphics === 'true')
      return seeOther(request, engineUrl(''))
    })
    .post('/leave', ({ request }) =>
      handled(request, app, '', async () => {
        await app.chooseModelFile('')
        return seeOther(request, '/settings', 'saved')
      }),
    )
    .post('/remove', async ({ request }) => {
      await app.engine.remove()
      return seeOther(request, engineUrl(''))
    })

async function handled(
  request: Request,
  app: App,
  typed: string,
  handle: () => Promise<Response>,
): Promise<Response> {
  const report = await app.engineReport()
  return formResponse(request, handle, (notice) => (
    <EnginePage report={report} notice={notice} typed={typed} />
  ))
}

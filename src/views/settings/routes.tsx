import type { App } from '../../app/app.ts'
import { modelSummary } from '../../app/model/settings.ts'
import { getReaderPreferences } from '../../db/tables/preferences.ts'
import { getSavedSettings } from '../../db/tables/settings.ts'
import { isModelMissing, settingsView } from '../../domain/settings.ts'
import { flashFrom } from '../flash.tsx'
import { formRoutes } from '../form-routes.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { formResponse, htmlResponse, isFragment, pageResponse, refererPath, seeOther } from '../respond.tsx'
import { FoundServers } from './found-servers.tsx'
import { ConnectionTestResult, EmbeddingTestResult } from './server-tests.tsx'
import { SettingsPage, type SettingsProps } from './settings.tsx'
import { settingsFrom } from './settings-form.ts'

export function settingsProps(app: App): SettingsProps {
  const { reader } = app
  return {
    settings: settingsView(getSavedSettings(reader)),
    ...modelSummary(reader),
    privacy: app.privacyReportOf(),
    reading: getReaderPreferences(reader),
    canQuit: app.canQuit(),
    devices: app.devicesReport(),
  }
}

export const settingsRoutes = (app: App) =>
  formRoutes('/settings')
    .get('', ({ query }) => pageResponse(<SettingsPage {...settingsProps(app)} did={flashFrom(query)} />))
    .post('', ({ fields, request }) =>
      formResponse(
        request,
        async () => {
          const { settings, advice } = await app.changeSettings(settingsFrom(fields))
          const notice = advice.join(' ')
          if (notice === '' && refererPath(request, '') === '/') return seeOther(request, '/', 'connected')
          const found = isModelMissing(settings) ? await offeredModels(app, request.signal) : undefined
          const saved = { ...settingsProps(app), found, notice }
          return pageResponse(<SettingsPage {...saved} did="Settings saved." />)
        },
        (notice) => <SettingsPage {...settingsProps(app)} notice={notice} typed={fields} />,
      ),
    )
    .post('/test', async ({ fields, request }) => {
      const { endpoint_url = '', model = '' } = fields
      const tested = await app.testEndpoint({ endpoint_url, model }, request.signal)
      if (isFragment(request)) return htmlResponse(<ConnectionTestResult tested={tested} />)
      return pageResponse(<SettingsPage {...settingsProps(app)} typed={fields} tested={tested} />)
    })
    .post('/test/embeddings', async ({ fields, request }) => {
      const { embedding_endpoint_url = '', embedding_model = '' } = fields
      const tested = await app.testEmbeddings({ embedding_endpoint_url, embedding_model }, request.signal)
      if (isFragment(request)) return htmlResponse(<EmbeddingTestResult tested={tested} />)
      return pageResponse(<SettingsPage {...settingsProps(app)} typed={fields} testedEmbeddings={tested} />)
    })
    .post('/detect', async ({ request }) => {
      const found = <FoundServers servers={await app.findServers(request.signal)} />
      if (isFragment(request)) return htmlResponse(found)
      return pageResponse(<SettingsPage {...settingsProps(app)} found={found} />)
    })

/** Milliseconds that a saved form waits for the models of its server. */
const LOOK_TIMEOUT = 2_000

/** Undefined if the server does not answer. */
async function offeredModels(app: App, signal: AbortSignal): Promise<Markup | undefined> {
  const tested = await app.testEndpoint({}, AbortSignal.any([signal, AbortSignal.timeout(LOOK_TIMEOUT)]))
  if (!tested.ok || tested.models.length === 0) return undefined
  const { settings, serverName, facts } = settingsProps(app)
  const server = { server: facts.server, name: serverName, url: settings.endpoint_url, models: tested.models }
  return <FoundServers servers={[{ ...server, advice: '', windows: {}, evidence: [] }]} />
}

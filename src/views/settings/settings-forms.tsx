import { Type } from '@sinclair/typebox'
import type { Deps } from '../../app/deps.ts'
import { lookAtModel } from '../../app/model-facts.ts'
import { changeSettings, findServers, modelWords, repaired, testEndpoint } from '../../app/settings.ts'
import { whereabouts } from '../../app/whereabouts.ts'
import { getReading } from '../../db/preferences.ts'
import { getSettings } from '../../db/tables/settings.ts'
import { type Settings, settingsFields, settingsView } from '../../domain/settings.ts'
import { validated } from '../../domain/validation.ts'
import { formRoutes } from '../../http/form.ts'
import { type Fields, fieldsOf, formAnswer, htmlAnswer, isFragment, pageAnswer } from '../respond.tsx'
import { FoundServers } from './found-servers.tsx'
import { SettingsPage, type SettingsProps, TestResult } from './settings.tsx'

/** What the page of the settings shows without being asked anything. */
export function settingsProps(deps: Deps): SettingsProps {
  const { reader } = deps.library
  return {
    settings: settingsView(getSettings(reader)),
    ...modelWords(reader),
    whereabouts: whereabouts(deps),
    reading: getReading(reader),
  }
}

/** The forms of the settings. */
export const settingsForms = (deps: Deps) =>
  formRoutes('/settings')
    .post('', ({ body, request }) => {
      const fields = fieldsOf(body)
      return formAnswer(
        request,
        async () => {
          const given = settingsFrom(fields)
          const { url, changed, advice } = await repaired(deps, given.endpoint_url ?? '', request.signal)
          await changeSettings(
            deps,
            given.endpoint_url === undefined ? given : { ...given, endpoint_url: url },
          )
          await lookAtModel(deps, request.signal)
          const notice = ['The settings are saved.', changed, advice].filter(Boolean).join(' ')
          return pageAnswer(<SettingsPage {...settingsProps(deps)} notice={notice} />)
        },
        (notice) => <SettingsPage {...settingsProps(deps)} notice={notice} typed={fields} />,
      )
    })
    .post('/test', async ({ body, request }) => {
      const fields = fieldsOf(body)
      const { endpoint_url = '', model = '' } = fields
      const tested = await testEndpoint(deps, { endpoint_url, model }, request.signal)
      if (isFragment(request)) return htmlAnswer((<TestResult tested={tested} />).html)
      return pageAnswer(<SettingsPage {...settingsProps(deps)} typed={fields} tested={tested} />)
    })
    .post('/detect', async ({ request }) => {
      const found = <FoundServers servers={await findServers(deps, request.signal)} />
      if (isFragment(request)) return htmlAnswer(found.html)
      return pageAnswer(<SettingsPage {...settingsProps(deps)} found={found} />)
    })

const NUMBERS = new Set([
  'temperature',
  'max_output_tokens',
  'reasoning_max_tokens',
  'context_token_budget',
  'read_timeout_seconds',
  'memory_bank_capacity',
  'memory_top_k',
])
/** Left empty, these are not sent to a server. */
const PERHAPS = new Set(['top_p', 'min_p', 'repeat_penalty', 'dry_multiplier', 'xtc_probability', 'num_ctx'])

function settingsFrom(fields: Fields): Partial<Settings> {
  const values = Object.entries(fields).map(([name, text]) => [name, valueFrom(name, text)])
  return validated(Type.Partial(settingsFields()), Object.fromEntries(values))
}

function valueFrom(name: string, text: string): unknown {
  if (NUMBERS.has(name)) return numberFrom(text)
  if (PERHAPS.has(name)) return text.trim() === '' ? null : numberFrom(text)
  if (name === 'reasoning_effort' && text === '') return null
  if (name === 'stop_at_player') return text === 'true'
  return text
}

// An empty field is no zero.
function numberFrom(text: string): number | string {
  return text.trim() === '' ? text : Number(text)
}

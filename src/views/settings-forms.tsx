import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../app/deps.ts'
import { changeSettings, testEndpoint } from '../app/settings.ts'
import { getSettings } from '../db/settings.ts'
import { type Settings, settingsFields, settingsView } from '../domain/settings.ts'
import { validated } from '../domain/validation.ts'
import { type Fields, fieldsOf, formAnswer, htmlAnswer, isFragment, pageAnswer } from './answer.tsx'
import { SettingsPage, TestResult } from './settings.tsx'

/** The forms of the settings. */
export const settingsForms = (deps: Deps) => {
  const current = () => settingsView(getSettings(deps.library.reader))
  return new Elysia({ prefix: '/settings', detail: { hide: true } })
    .post('', ({ body, request }) => {
      const fields = fieldsOf(body)
      return formAnswer(
        request,
        async () => {
          const settings = await changeSettings(deps, settingsFrom(fields))
          return pageAnswer(<SettingsPage settings={settings} notice="The settings are saved." />)
        },
        (notice) => <SettingsPage settings={current()} notice={notice} typed={fields} />,
      )
    })
    .post('/test', async ({ body, request }) => {
      const fields = fieldsOf(body)
      const { endpoint_url = '', model = '' } = fields
      const tested = await testEndpoint(deps, { endpoint_url, model })
      if (isFragment(request)) return htmlAnswer((<TestResult tested={tested} />).html)
      return pageAnswer(<SettingsPage settings={current()} typed={fields} tested={tested} />)
    })
}

const NUMBERS = [
  'temperature',
  'max_output_tokens',
  'reasoning_max_tokens',
  'context_token_budget',
  'read_timeout_seconds',
]

function settingsFrom(fields: Fields): Partial<Settings> {
  const values = Object.entries(fields).map(([name, text]) => [
    name,
    NUMBERS.includes(name) ? numberFrom(text) : text,
  ])
  return validated(Type.Partial(settingsFields()), Object.fromEntries(values))
}

// An empty field is no zero.
function numberFrom(text: string): number | string {
  return text.trim() === '' ? text : Number(text)
}

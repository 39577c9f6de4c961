import { Type } from '@sinclair/typebox'
import type { App } from '../app/app.ts'
import { getReaderPreferences } from '../db/tables/preferences.ts'
import { readerPreferenceFields } from '../domain/reader-preferences.ts'
import { jsonBody, jsonRoutes } from '../http/body.ts'
import { ERRORS, ok } from './responses.ts'

/** Reader preferences: how the player likes to read. */
export const preferencesApi = (app: App) =>
  jsonRoutes('/api/preferences', 'Preferences')
    .get('', () => getReaderPreferences(app.reader), {
      response: ok(readerPreferenceFields()),
      detail: { summary: 'Get the reader preferences' },
    })
    .put('', ({ body }) => app.changeReaderPreferences(body), {
      ...jsonBody(Type.Partial(readerPreferenceFields(), { examples: [{ theme: 'sepia', size: 120 }] })),
      response: ok(readerPreferenceFields(), ...ERRORS.body, ...ERRORS.save),
      detail: { summary: 'Change some preferences, all or none' },
    })

import { Type } from '@sinclair/typebox'
import type { Deps } from '../app/deps.ts'
import { changeReading } from '../app/reading.ts'
import { getReading } from '../db/preferences.ts'
import { readingFields } from '../domain/reading.ts'
import { jsonRoutes, sent } from '../http/body.ts'

/** Preferences: how the player reads. */
export const preferencesApi = (deps: Deps) =>
  jsonRoutes('/api/preferences', 'Preferences')
    .get('', () => getReading(deps.library.reader), {
      response: readingFields(),
      detail: { summary: 'How the player reads' },
    })
    .put('', ({ body }) => changeReading(deps, body), {
      ...sent(Type.Partial(readingFields(), { examples: [{ theme: 'sepia', size: 120 }] })),
      response: readingFields(),
      detail: { summary: 'Change the given preferences, all or none' },
    })

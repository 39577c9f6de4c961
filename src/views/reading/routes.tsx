import { Type } from '@sinclair/typebox'
import type { App } from '../../app/app.ts'
import { getReaderPreferences } from '../../db/tables/preferences.ts'
import { type ReaderPreferences, readerPreferenceFields } from '../../domain/reader-preferences.ts'
import { validated } from '../../domain/validation.ts'
import { asset } from '../../http/assets.ts'
import { PAGE_HEADERS } from '../../http/headers.ts'
import { formRoutes } from '../form-routes.ts'
import {
  type FormFields,
  formResponse,
  htmlResponse,
  isFragment,
  refererPath,
  seeOther,
} from '../respond.tsx'
import { settingsProps } from '../settings/routes.tsx'
import { SettingsPage } from '../settings/settings.tsx'
import { readerStyle } from '../theme/reader-style.ts'
import { fragment } from '../ui/fragment.tsx'
import { ReaderStylesheet } from './reader-stylesheet.tsx'
import { ReadingSaved, STEPPED, Stepper } from './reading-fields.tsx'

export const readingRoutes = (app: App) =>
  formRoutes('')
    // Revalidated with every page, so that a change applies to the next one.
    .get(asset('reader.css'), ({ request }) => {
      const style = readerStyle(getReaderPreferences(app.reader))
      const headers = { ...PAGE_HEADERS, 'Cache-Control': 'no-cache', ETag: tagOf(style) }
      if (request.headers.get('if-none-match') === tagOf(style))
        return new Response(null, { status: 304, headers })
      return new Response(style, { headers: { ...headers, 'Content-Type': 'text/css; charset=utf-8' } })
    })
    .post('/settings/reading', ({ fields, request }) =>
      formResponse(
        request,
        () => {
          const reading = app.changeReaderPreferences(readingFrom(fields))
          if (!isFragment(request)) {
            const from = refererPath(request, '/settings')
            return seeOther(
              request,
              `${from}#${from.startsWith('/settings') ? 'reading-settings' : 'panel'}`,
              'saved',
            )
          }
          const sheet = <ReaderStylesheet version={tagOf(readerStyle(reading)).slice(1, -1)} />
          const numbers = STEPPED.map((name) =>
            fragment(`#stepper-${name}`, 'outerHTML', <Stepper name={name} value={reading[name]} />),
          )
          return htmlResponse(sheet.html + numbers.join('') + (<ReadingSaved words="Saved." />).html)
        },
        (notice) => <SettingsPage {...settingsProps(app)} notice={notice} />,
      ),
    )

function tagOf(style: string): string {
  return `"${Bun.hash(style).toString(36)}"`
}

const SWITCHES = ['justify', 'typography', 'whole_replies', 'announce', 'shortcuts'] as const

// An unchecked box is not sent, so one form holds all switches.
function readingFrom(fields: FormFields): Partial<ReaderPreferences> {
  const { step = '', ...typed } = fields
  // A press of a stepper names what it sets.
  const [stepped = '', to = ''] = step.split(':')
  const chosen = step === '' ? typed : { ...typed, [stepped]: to }
  const values = Object.entries(chosen).map(([name, text]) => [
    name,
    STEPPED.some((one) => one === name) && text.trim() !== '' ? Number(text) : text,
  ])
  const switches = SWITCHES.map((name) => [name, fields[name] === '1'])
  return validated(Type.Partial(readerPreferenceFields()), Object.fromEntries([...values, ...switches]))
}

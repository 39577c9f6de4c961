import { Type } from '@sinclair/typebox'
import type { Deps } from '../../app/deps.ts'
import { changeReading } from '../../app/reading.ts'
import { getReading } from '../../db/preferences.ts'
import { type Reading, readingFields } from '../../domain/reading.ts'
import { validated } from '../../domain/validation.ts'
import { asset } from '../../http/assets.ts'
import { formRoutes } from '../../http/form.ts'
import { PAGE_HEADERS } from '../../http/headers.ts'
import { cameFrom, type Fields, fieldsOf, formAnswer, htmlAnswer, isFragment, seeOther } from '../respond.tsx'
import { readerStyle } from '../theme/reader-style.ts'
import { SettingsPage } from '../settings/settings.tsx'
import { settingsProps } from '../settings/settings-forms.tsx'
import { ReaderSheet } from './reader-stylesheet.tsx'
import { ReadingKept } from './reading-fields.tsx'

/** The reader's own stylesheet, and the form that it comes from. */
export const readingForms = (deps: Deps) =>
  formRoutes('')
    // Asked for with every page, and hardly ever sent: what the reader chose holds in the very next page.
    .get(asset('reader.css'), ({ request }) => {
      const style = readerStyle(getReading(deps.library.reader))
      const headers = { ...PAGE_HEADERS, 'Cache-Control': 'no-cache', ETag: tagOf(style) }
      if (request.headers.get('if-none-match') === tagOf(style))
        return new Response(null, { status: 304, headers })
      return new Response(style, { headers: { ...headers, 'Content-Type': 'text/css; charset=utf-8' } })
    })
    .post('/settings/reading', ({ body, request }) => {
      const fields = fieldsOf(body)
      return formAnswer(
        request,
        () => {
          const reading = changeReading(deps, readingFrom(fields))
          if (!isFragment(request)) {
            const from = cameFrom(request, '/settings')
            return seeOther(
              request,
              `${from}#${from.startsWith('/settings') ? 'reading-settings' : 'panel'}`,
              'saved',
            )
          }
          const sheet = <ReaderSheet version={tagOf(readerStyle(reading)).slice(1, -1)} />
          return htmlAnswer(sheet.html + (<ReadingKept words="Kept." />).html)
        },
        (notice) => <SettingsPage {...settingsProps(deps)} notice={notice} />,
      )
    })

function tagOf(style: string): string {
  return `"${Bun.hash(style).toString(36)}"`
}

const NUMBERS = new Set(['size', 'measure', 'leading'])
const SWITCHES = ['justify', 'whole_replies', 'announce', 'shortcuts'] as const

// A box that is not ticked is not sent, so all switches are of one form.
function readingFrom(fields: Fields): Partial<Reading> {
  const values = Object.entries(fields).map(([name, text]) => [
    name,
    NUMBERS.has(name) && text.trim() !== '' ? Number(text) : text,
  ])
  const switches = SWITCHES.map((name) => [name, fields[name] === '1'])
  return validated(Type.Partial(readingFields()), Object.fromEntries([...values, ...switches]))
}

import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import type { App } from '../app/app.ts'
import type { ReadyFile } from '../app/files/export.ts'
import { ADVENTURE_FORMATS, SCENARIO_FORMATS } from '../formats/file-name.ts'
import { attachment } from '../http/attachment.ts'
import { jsonRoutes } from '../http/body.ts'
import { idParams, ownerQuery } from './request-params.ts'
import { BINARY, content, ERRORS } from './responses.ts'

const yesOrNo = (description: string) => Type.Optional(t.BooleanString({ description }))

// The pattern allows '' because a form sends empty fields too.
const index = (description: string) => Type.Optional(Type.String({ pattern: '^[0-9]{0,9}$', description }))

const adventureExport = () =>
  Type.Object({
    format: Type.Optional(
      t.UnionEnum(ADVENTURE_FORMATS, {
        description:
          'json is our own format and complete; family is an archive of all branches of the story in it; markdown, html and epub are for reading; jsonl is a SillyTavern chat; legacy is for the earlier release',
      }),
    ),
    player_lines: yesOrNo('Include the player’s lines; true by default'),
    attempts: yesOrNo('Include all attempts at a passage (markdown, html, epub)'),
    stats: yesOrNo('Include what each passage changed (markdown, html, epub)'),
    branches: yesOrNo(
      'All branches of the story in full, with their map as contents, and what they share once (markdown, html, epub)',
    ),
    from: index('Index of the first action (markdown, html, epub, jsonl)'),
    to: index('Index of the last action (markdown, html, epub, jsonl)'),
  })

const scenarioExport = () =>
  Type.Object({
    format: Type.Optional(
      t.UnionEnum(SCENARIO_FORMATS, {
        description:
          'json is our own format and complete; png, card (JSON) and charx (archive) are character cards; lorebook is World Info of SillyTavern; legacy is for the earlier release',
      }),
    ),
  })

const JSON_FILE = { 'application/json': { type: 'object' } } as const
const file = (type: string) => ({ [type]: BINARY })

export const filesApi = (app: App) =>
  jsonRoutes('/api', 'Files')
    .get(
      '/adventures/:id/export',
      async ({ params, query: { format = 'json', branches = false, from, to, ...included }, request }) => {
        const options = { ...included, ...indexIn('from', from), ...indexIn('to', to) }
        const wanted = { format, options, allBranches: branches }
        return respond(await app.exportAdventure(params.id, wanted, request.signal))
      },
      {
        params: idParams(),
        query: adventureExport(),
        detail: {
          summary: 'Export an adventure as a file',
          responses: content(
            'The file, in the format that was asked for',
            {
              ...JSON_FILE,
              ...file('text/markdown'),
              ...file('text/html'),
              ...file('application/epub+zip'),
              ...file('application/zip'),
              ...file('application/jsonl'),
            },
            'storage_failed',
            ...ERRORS.find,
          ),
        },
      },
    )
    .get(
      '/scenarios/:id/export',
      async ({ params, query: { format = 'json' }, request }) =>
        respond(await app.exportScenario(params.id, format, request.signal)),
      {
        params: idParams(),
        query: scenarioExport(),
        detail: {
          summary: 'Export a scenario as a file, with its cards and its picture',
          responses: content(
            'The file, in the format that was asked for',
            { ...JSON_FILE, ...file('image/png'), ...file('application/zip') },
            'storage_failed',
            ...ERRORS.find,
          ),
        },
      },
    )
    .get('/story-cards/export', ({ query }) => respond(app.exportCards(query)), {
      query: ownerQuery(),
      detail: {
        summary: 'Export the cards of one scenario or adventure as a list that AI Dungeon can import',
        responses: content('The list', { 'application/json': { type: 'array', items: {} } }, ...ERRORS.find),
      },
    })
    .get(
      '/backup',
      async ({ request }) => {
        const { name, bytes } = await app.backUp(request.signal)
        return attachment(name, DATABASE, bytes)
      },
      {
        detail: {
          summary: 'Back up the whole library as one database file; turns continue meanwhile',
          responses: content('The database', file(DATABASE), 'storage_failed'),
        },
      },
    )

const DATABASE = 'application/vnd.sqlite3'

function indexIn(name: 'from' | 'to', text = ''): { from?: number; to?: number } {
  return text === '' ? {} : { [name]: Number(text) }
}

function respond({ name, type, bytes }: ReadyFile): Response {
  return attachment(name, type, bytes)
}

import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { backUp } from '../app/files/backup.ts'
import type { Deps } from '../app/deps.ts'
import { exportAdventure, exportCards, exportScenario, type ReadyFile } from '../app/files/export.ts'
import { ADVENTURE_FORMATS, SCENARIO_FORMATS } from '../app/write-file.ts'
import { attachment } from '../http/attachment.ts'
import { jsonRoutes } from '../http/body.ts'
import { idParams } from './shapes.ts'

const yesOrNo = (description: string) => Type.Optional(t.BooleanString({ description }))

// A form sends an empty field too.
const place = (description: string) => Type.Optional(Type.String({ pattern: '^[0-9]{0,9}$', description }))

const placeIn = (name: 'from' | 'to', text = '') => (text === '' ? {} : { [name]: Number(text) })

const fileOf = ({ name, type, bytes }: ReadyFile) => attachment(name, type, bytes)

/** Files to take away: stories, scenarios, cards, and the whole library. */
export const filesApi = (deps: Deps) =>
  jsonRoutes('/api', 'Files')
    .get(
      '/adventures/:id/export',
      async ({ params, query: { format = 'json', from, to, ...shown }, request }) => {
        const reading = { ...shown, ...placeIn('from', from), ...placeIn('to', to) }
        return fileOf(await exportAdventure(deps, params.id, format, reading, request.signal))
      },
      {
        params: idParams(),
        query: Type.Object({
          format: Type.Optional(
            t.UnionEnum(ADVENTURE_FORMATS, {
              description:
                'json is ours and complete; markdown, html and epub are to be read; jsonl is a chat of SillyTavern; legacy is for the earlier release',
            }),
          ),
          player_lines: yesOrNo('With what the player did and said; true when not said'),
          attempts: yesOrNo('With all attempts at a passage (markdown, html, epub)'),
          stats: yesOrNo('With what each passage changed (markdown, html, epub)'),
          from: place('Index of the first action (markdown, html, epub, jsonl)'),
          to: place('Index of the last action (markdown, html, epub, jsonl)'),
        }),
        detail: { summary: 'Take an adventure away as a file' },
      },
    )
    .get(
      '/scenarios/:id/export',
      async ({ params, query: { format = 'json' }, request }) =>
        fileOf(await exportScenario(deps, params.id, format, request.signal)),
      {
        params: idParams(),
        query: Type.Object({
          format: Type.Optional(
            t.UnionEnum(SCENARIO_FORMATS, {
              description:
                'json is ours and complete; png is a character card; legacy is for the earlier release',
            }),
          ),
        }),
        detail: { summary: 'Take a scenario away as a file, with its cards and its picture' },
      },
    )
    .get('/story-cards/export', ({ query }) => fileOf(exportCards(deps, query)), {
      query: Type.Object({
        scenario_id: Type.Optional(t.Integer()),
        adventure_id: Type.Optional(t.Integer()),
      }),
      detail: { summary: 'The cards of one scenario or adventure as a list that AI Dungeon reads' },
    })
    .get(
      '/backup',
      async ({ request }) => {
        const { name, bytes } = await backUp(deps, request.signal)
        return attachment(name, 'application/vnd.sqlite3', bytes)
      },
      { detail: { summary: 'The whole library as one database; turns go on meanwhile' } },
    )

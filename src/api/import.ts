import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { App } from '../app/app.ts'
import { DUPLICATES, type ImportChoice } from '../app/files/import-choice.ts'
import { watchImport } from '../app/files/running-imports.ts'
import type { AnyUpload } from '../app/runtime/uploads.ts'
import { scenarioView } from '../app/scenario/scenarios.ts'
import { getScenario } from '../db/tables/scenarios.ts'
import { AdventureView } from '../domain/adventure.ts'
import { type ErrorCode, StoryError } from '../domain/errors.ts'
import { ImportPreview } from '../domain/portable/import-preview.ts'
import { ScenarioView } from '../domain/scenario.ts'
import { StoryCard } from '../domain/story-card.ts'
import { MAX_VALUES } from '../formats/import-limits.ts'
import { objectFrom, textFrom } from '../http/body.ts'
import { isLargeImport, isMultipart, parseFilesForm } from '../http/form.ts'
import { asStoryError, problemOf } from '../http/problem.ts'
import { streamResponse } from '../http/stream.ts'
import { oneOf } from '../lib/typebox.ts'
import { created, ERRORS, ok } from './responses.ts'

const CARDS = [{ title: 'The lamp', keys: 'lamp, light', value: 'It burns only for the honest.' }]

const ADVENTURE = {
  format: 'ai-dnd-adventure-v1',
  title: 'Lamp',
  actions: [{ index: 0, type: 'start', text: 'Dusk.' }],
}

// The framework does not check a raw body, so its documentation is written by hand.
const documentedBody = (example: unknown) => ({
  requestBody: { required: true, content: { 'application/json': { schema: { examples: [example] } } } },
})

const anyFile = (example: unknown) => ({
  requestBody: {
    required: true,
    content: {
      ...documentedBody(example).requestBody.content,
      'application/octet-stream': { schema: { type: 'string' as const, format: 'binary' } },
      'multipart/form-data': { schema: { type: 'object' as const } },
    },
  },
})

const choice = () =>
  Type.Object({
    name: Type.Optional(Type.String({ description: 'File name, a title for files that contain none' })),
    apply: Type.Optional(Type.String({ description: '1 imports what is chosen' })),
    scenarios: Type.Optional(
      Type.String({ description: 'Positions in the preview’s list, such as 0,2; everything by default' }),
    ),
    adventures: Type.Optional(Type.String({ description: 'The same for the adventures' })),
    scenario_id: Type.Optional(Type.String({ description: 'The scenario that gets cards without an owner' })),
    adventure_id: Type.Optional(Type.String({ description: 'The same for an adventure' })),
    duplicates: Type.Optional(
      oneOf(
        DUPLICATES,
        'What is there already is skipped, or imported again, as by default; `replace` skips what is equal and replaces cards of the same name',
      ),
    ),
  })

const IMPORT_ERRORS: readonly ErrorCode[] = ['not_found', 'import_refused', ...ERRORS.body, ...ERRORS.save]

export const importApi = (app: App) => {
  const { reader } = app
  return (
    new Elysia({ detail: { tags: ['Files'] } })
      .post(
        '/api/import',
        async ({ query, set, request }) => {
          const choice = choiceFrom(query)
          const file = named(await fileFrom(app, request), query.name)
          if (query.apply !== '1') return app.previewImport(file, choice.owner)
          if (request.headers.get('accept') === 'text/event-stream')
            // A stream has none of the declared shapes.
            return streamResponse(request, () => importEvents(app, file, choice)) as never
          const { preview, imported } = await app.importFile(file, choice)
          set.status = 201
          return { ...preview, ...imported }
        },
        {
          query: choice(),
          // Read by the handler, which deletes what was stored of it.
          parse: 'none',
          response: { ...ok(ImportPreview), ...created(ImportPreview, ...IMPORT_ERRORS).response },
          detail: {
            summary:
              'Preview what a file, an archive or a form of several files contains, or with apply=1 import it',
            description:
              'An import with `Accept: text/event-stream` is answered with its progress as server-sent events, and with the outcome as the last one (`done` or `error`).',
            ...anyFile(CARDS),
          },
        },
      )
      // The bodies of the routes that follow are read as bytes, whatever their content type.
      .onParse(async ({ request }) => new Uint8Array(await request.arrayBuffer()))
      .post(
        '/api/scenarios/import',
        async ({ body }) => {
          const file = { bytes: bytesIn(body), name: '' }
          const { preview, imported } = await app.importFile(file, { only: 'scenario' })
          return {
            scenario: scenarioView(reader, getScenario(reader, imported.scenario_ids[0] ?? 0)),
            unmapped_keys: unmappedIn(preview),
          }
        },
        {
          ...created(
            Type.Object({ scenario: ScenarioView, unmapped_keys: Type.Array(Type.String()) }),
            ...IMPORT_ERRORS,
          ),
          detail: {
            summary: 'Import a scenario',
            ...documentedBody({
              format: 'ai-dnd-scenario-v1',
              title: 'The Lamp Road',
              prompt: 'Dusk falls.',
            }),
          },
        },
      )
      .post(
        '/api/adventures/import',
        async ({ body }) => {
          const file = { bytes: bytesIn(body), name: '' }
          const { imported } = await app.importFile(file, { only: 'adventure' })
          return app.adventureView(imported.adventure_ids[0] ?? 0)
        },
        {
          ...created(AdventureView, ...IMPORT_ERRORS),
          detail: {
            summary: 'Import an adventure; of a branched one, only the current branch',
            ...documentedBody(ADVENTURE),
          },
        },
      )
      .post('/api/story-cards/import', ({ body }) => importCards(app, bytesIn(body)), {
        ...created(Type.Array(StoryCard), ...IMPORT_ERRORS),
        detail: {
          summary: 'Import story cards for one owner',
          ...documentedBody({ scenario_id: 1, cards: CARDS }),
        },
      })
  )
}

async function importCards(app: App, bytes: Uint8Array): Promise<StoryCard[]> {
  const owner = ownerIn(objectFrom(textFrom(bytes), MAX_VALUES))
  const { imported } = await app.importFile({ bytes, name: '' }, { only: 'cards', owner })
  const ids = new Set(imported.story_card_ids)
  return app.cardsOf(owner).filter(({ id }) => ids.has(id))
}

/** The body as a file, or all files of a form; large ones are stored on disk. Throws malformed_body. */
async function fileFrom(app: App, request: Request): Promise<AnyUpload> {
  const nothing = { name: '', bytes: new Uint8Array() }
  if (isMultipart(request)) {
    const { files } = await parseFilesForm(request, { store: app.storeUpload, discard: app.deleteUpload })
    const [file = nothing, another] = files
    return another ? { name: '', files } : file
  }
  try {
    if (!isLargeImport(request)) return { name: '', bytes: new Uint8Array(await request.arrayBuffer()) }
    return await app.storeUpload('', request.body as unknown as AsyncIterable<Uint8Array>)
  } catch (error) {
    if (error instanceof StoryError) throw error
    throw new StoryError('malformed_body', 'The request body could not be read.')
  }
}

function named(file: AnyUpload, name = file.name): AnyUpload {
  return { ...file, name }
}

function bytesIn(body: unknown): Uint8Array {
  return body instanceof Uint8Array ? body : new Uint8Array()
}

function choiceFrom(query: Static<ReturnType<typeof choice>>): ImportChoice {
  const { scenarios, adventures, duplicates } = query
  const owner = ownerIn({
    scenario_id: idIn(query, 'scenario_id'),
    adventure_id: idIn(query, 'adventure_id'),
  })
  return {
    ...(scenarios === undefined ? {} : { scenarios: positionsIn(query, 'scenarios') }),
    ...(adventures === undefined ? {} : { adventures: positionsIn(query, 'adventures') }),
    ...(Object.keys(owner).length === 0 ? {} : { owner }),
    ...(duplicates === undefined ? {} : { duplicates }),
  }
}

function idIn(query: Record<string, string | undefined>, name: string): number | undefined {
  const text = query[name]
  if (text === undefined) return
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new StoryError('invalid', `${name} must be a number, not "${text.slice(0, 100)}".`)
}

function positionsIn(query: Record<string, string | undefined>, name: string): number[] {
  const text = query[name] ?? ''
  if (/^[\d,]{0,10000}$/.test(text)) return text.split(',').filter(Boolean).map(Number)
  throw new StoryError('invalid', `${name} must be positions such as 0,2, not "${text.slice(0, 100)}".`)
}

function ownerIn(named: object): { scenario_id?: number; adventure_id?: number } {
  const { scenario_id, adventure_id } = named as Record<string, unknown>
  return {
    ...(typeof scenario_id === 'number' ? { scenario_id } : {}),
    ...(typeof adventure_id === 'number' ? { adventure_id } : {}),
  }
}

function unmappedIn({ receipt }: ImportPreview): string[] {
  return receipt.left.flatMap(({ keys }) => keys).filter((key) => !/[.[…]/.test(key))
}

/** Milliseconds between progress events. */
const PROGRESS_INTERVAL = 250

/** Progress and outcome of an import, which goes on if the client leaves. */
async function* importEvents(app: App, file: AnyUpload, choice: ImportChoice) {
  const running = watchImport(choice, (report) => app.importFile(file, choice, report))
  const outcome = running.result.then(
    ({ preview, imported }) => ({ type: 'done', ...preview, ...imported }),
    (error: unknown) => ({ type: 'error', ...problemOf(asStoryError(error, 'an import')) }),
  )
  while (!running.isOver) {
    yield { type: 'progress', ...running.progress }
    await Promise.race([outcome, Bun.sleep(PROGRESS_INTERVAL)])
  }
  yield await outcome
}

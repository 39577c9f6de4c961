import type { App } from '../../app/app.ts'
import type { AuthoredSchema } from '../../app/scenario/stat-schema.ts'
import { type FieldError, StoryError } from '../../domain/errors.ts'
import { schemaFromForm, withNewEntry, withoutEntry } from '../../domain/world/schema-form.ts'
import type { StatSchema } from '../../domain/world/state.ts'
import { parseJson } from '../../lib/json.ts'
import { isObject } from '../../lib/objects.ts'
import { formRoutes } from '../form-routes.ts'
import {
  type FormFields,
  formResponse,
  htmlResponse,
  isFragment,
  pageResponse,
  seeOther,
} from '../respond.tsx'
import { editorUrl } from '../urls.ts'
import { EditorPage } from './editor.tsx'
import { editorProps } from './scenario-props.ts'
import { SchemaEditor, SchemaState } from './schema-editor.tsx'

/** A request without a button is an autosave. */
export const schemaRoutes = (app: App) =>
  formRoutes('/scenarios/:id').post('/stats', ({ id, fields, request }) =>
    formResponse(
      request,
      () => save({ app, id, request }, fields),
      (notice) => <EditorPage {...editorProps(app, id)} tab="stats" notice={notice} />,
    ),
  )

interface Save {
  app: App
  id: number
  request: Request
}

interface Input {
  schema: StatSchema
  faults: FieldError[]
  json?: string
}

function save(to: Save, fields: FormFields): Response {
  const input = inputFrom(fields)
  if (input === null) return invalidJson(to, fields.json ?? '')
  const { app, id, request } = to
  const { version } = fields
  let written: AuthoredSchema
  try {
    written = app.saveSchema(id, input.schema, { more: input.faults, version })
  } catch (error) {
    if (!(error instanceof StoryError) || error.code !== 'changed_elsewhere') throw error
    return changedElsewhere(to, input, version)
  }
  if (!isFragment(request)) return seeOther(request, editorUrl(id, 'stats'), 'saved')
  const props = { scenarioId: id, ...written }
  return htmlResponse(isAutosave(fields) ? <SchemaState {...props} /> : <SchemaEditor {...props} />)
}

/** True for the form with a field for everything, sent without a button. */
function isAutosave(fields: FormFields): boolean {
  return fields.do === undefined && fields.json === undefined
}

/** Null when the JSON form holds no JSON object. */
function inputFrom(fields: FormFields): Input | null {
  const { json } = fields
  if (json === undefined) return schemaInForm(fields)
  const schema = parseSchema(json)
  return schema && { schema, faults: [], json }
}

const CHANGED =
  'The stats were changed elsewhere in the meantime. Nothing was saved; compare the two versions below.'

function changedElsewhere(
  { app, id, request }: Save,
  { schema, json }: Input,
  version: string | undefined,
): Response {
  const props = editorProps(app, id)
  const form = json === undefined ? ('schema-form' as const) : ('json-form' as const)
  const stats = { ...props.stats, schema, version, json, clash: { stored: props.stats.schema, form } }
  if (!isFragment(request))
    return pageResponse(<EditorPage {...props} stats={stats} tab="stats" notice={CHANGED} />, 409)
  return htmlResponse(<SchemaState {...stats} />, 409, {
    'HX-Retarget': '#schema-state',
    'HX-Reswap': 'outerHTML',
  })
}

function schemaInForm(fields: FormFields): { schema: StatSchema; faults: FieldError[] } {
  // The button comes first: its path belongs to the schema that the form was made from.
  const base = pressed(parseSchema(fields.base ?? '') ?? {}, fields.do ?? '')
  return schemaFromForm(fields, base)
}

function pressed(schema: StatSchema, button: string): StatSchema {
  if (button.startsWith('add:')) return withNewEntry(schema, button.slice('add:'.length))
  return button.startsWith('drop:') ? withoutEntry(schema, button.slice('drop:'.length)) : schema
}

/** Stores nothing, and keeps what was typed in its field. */
function invalidJson({ app, id, request }: Save, json: string): Response {
  const props = editorProps(app, id)
  const fault = new StoryError('invalid', `This is not valid JSON: ${problemIn(json)}`)
  const stats = { ...props.stats, json }
  if (!isFragment(request))
    return pageResponse(<EditorPage {...props} stats={stats} tab="stats" notice={fault.message} />, 422)
  return htmlResponse(<SchemaEditor {...stats} faults={[{ path: '', message: fault.message }]} />)
}

function parseSchema(text: string): StatSchema | null {
  const value = text.trim() === '' ? {} : parseJson(text, { depth: Infinity })
  return isObject(value) ? value : null
}

function problemIn(json: string): string {
  try {
    JSON.parse(json)
    return 'it must be an object.'
  } catch (error) {
    return `${(error as Error).message}.`
  }
}

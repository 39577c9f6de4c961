import type { Deps } from '../../app/deps.ts'
import { type Authored, writeSchema } from '../../app/stat-schema.ts'
import { type Fault, StoryError } from '../../domain/errors.ts'
import { isObject } from '../../lib/objects.ts'
import { schemaFrom, withNew, without } from '../../domain/world/schema-form.ts'
import type { StatSchema } from '../../domain/world/state.ts'
import { formRoutes } from '../../http/form.ts'
import {
  type Fields,
  fieldsOf,
  formAnswer,
  htmlAnswer,
  idFrom,
  isFragment,
  pageAnswer,
  seeOther,
} from '../respond.tsx'
import { scenarioProps } from '../library/library-props.ts'
import { ScenarioPage } from './scenario.tsx'
import { SchemaEditor, SchemaState } from './schema-editor.tsx'

/** The form with which an author says what is counted. Without a button it is a pause in the typing. */
export const schemaForms = (deps: Deps) =>
  formRoutes('/scenarios/:id').post('/stats', ({ params, body, request }) => {
    const id = idFrom(params.id)
    const fields = fieldsOf(body)
    return formAnswer(
      request,
      () => answer(deps, id, fields, request),
      (notice) => <ScenarioPage {...scenarioProps(deps, id)} notice={notice} />,
    )
  })

function answer(deps: Deps, id: number, fields: Fields, request: Request): Response {
  const { do: deed } = fields
  const [kind = '', mark] = (deed ?? '').split(':')
  const json = kind === 'json' ? (fields.json ?? '') : undefined
  const read = json === undefined ? null : schemaIn(json)
  if (json !== undefined && read === null) return unreadable(deps, id, json, request)
  const { schema, faults } = read ? { schema: read, faults: [] } : typedIn(fields)
  const seen = (kind === 'save' || kind === 'json' ? mark : undefined) ?? fields.seen
  const clash = { deed: json === undefined ? 'save' : 'json', seen, json } as const
  let written: Authored
  try {
    written = writeSchema(deps, id, schema, faults, seen)
  } catch (error) {
    if (!(error instanceof StoryError) || error.code !== 'changed_elsewhere') throw error
    return changedElsewhere(deps, id, schema, clash, request)
  }
  if (!isFragment(request)) return seeOther(request, `/scenarios/${id}?open=stats#stats`, 'saved')
  const props = { scenarioId: id, ...written, isSaved: true }
  return htmlAnswer((deed === undefined ? <SchemaState {...props} /> : <SchemaEditor {...props} />).html)
}

const CHANGED =
  'What is counted was changed in another place meanwhile. Nothing was written; compare the two below.'

// Both are shown, and nothing that was typed is lost.
function changedElsewhere(
  deps: Deps,
  id: number,
  schema: StatSchema,
  { deed, seen, json }: { deed: 'save' | 'json'; seen: string | undefined; json: string | undefined },
  request: Request,
): Response {
  const props = scenarioProps(deps, id)
  const stats = { ...props.stats, schema, seen, json, clash: { stored: props.stats.schema, deed } }
  if (!isFragment(request))
    return pageAnswer(<ScenarioPage {...props} stats={stats} open="stats" notice={CHANGED} />, 409)
  return htmlAnswer((<SchemaState {...stats} />).html, 409, {
    'HX-Retarget': '#schema-state',
    'HX-Reswap': 'outerHTML',
  })
}

function typedIn(fields: Fields): { schema: StatSchema; faults: Fault[] } {
  // The deed comes first: its path is of the schema that the form was made from.
  const base = changed(schemaIn(fields.base ?? '') ?? {}, fields.do ?? '')
  return schemaFrom(fields, base)
}

function changed(schema: StatSchema, deed: string): StatSchema {
  if (deed.startsWith('add:')) return withNew(schema, deed.slice('add:'.length))
  return deed.startsWith('drop:') ? without(schema, deed.slice('drop:'.length)) : schema
}

// Nothing is stored, and nothing that was typed is lost.
function unreadable(deps: Deps, id: number, json: string, request: Request): Response {
  const props = scenarioProps(deps, id)
  const fault = new StoryError('invalid', `That is not valid JSON: ${whyNot(json)}`)
  const stats = { ...props.stats, json }
  if (!isFragment(request))
    return pageAnswer(<ScenarioPage {...props} stats={stats} open="stats" notice={fault.message} />, 422)
  return htmlAnswer((<SchemaEditor {...stats} faults={[{ path: '', message: fault.message }]} />).html)
}

function schemaIn(text: string): StatSchema | null {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

function whyNot(text: string): string {
  try {
    JSON.parse(text)
    return 'it must be an object.'
  } catch (error) {
    return `${(error as Error).message}.`
  }
}

import type { AuthoredSchema } from '../../app/scenario/stat-schema.ts'
import type { FieldError } from '../../domain/errors.ts'
import { guideOf } from '../../domain/world/prompt/guide.ts'
import { hasRules, readRules } from '../../domain/world/rules.ts'
import type { StatSchema } from '../../domain/world/state.ts'
import { isObject, objectIn } from '../../lib/objects.ts'
import { ChangeableNames, CheckFields } from '../checks/check-fields.tsx'
import { checkPlace } from '../checks/check-place.ts'
import { regionForm } from '../form-attributes.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { ConflictChoice, versionOfForm } from '../ui/autosave-form.tsx'
import { countOf } from '../ui/format-number.ts'
import { editorUrl } from '../urls.ts'
import { CharacterFields, FlagFields, formPath, statFieldsOf } from './stat-fields.tsx'

export interface SchemaProps extends AuthoredSchema {
  scenarioId: number
  /** The text of the JSON view, open because it could not be parsed or saved. */
  json?: string | undefined
  /** The version that the author saw, where `schema` holds input that could not be saved. */
  version?: string | undefined
  /** The stored value, and the form that it conflicts with. */
  clash?: { stored: StatSchema; form: 'schema-form' | 'json-form' } | undefined
}

/** A form and JSON: two views of one value. */
export function SchemaEditor(props: SchemaProps): Markup {
  const { scenarioId, schema } = props
  // The response may be another part of it.
  const send = { ...regionForm(`/scenarios/${scenarioId}/stats`, '#stats'), 'hx-select': undefined }
  return (
    <div id="stats" class="schema">
      <form id="schema-form" {...send} data-autosave>
        {/* Enter in a field presses the first button of its form. */}
        <button type="submit" name="do" value="save" hidden />
        <noscript>
          <p class="row">
            <button type="submit" name="do" value="save" class="main">
              Save stats
            </button>
          </p>
        </noscript>
        <input type="hidden" name="base" value={JSON.stringify(schema)} />
        <Sections {...props} />
        <SchemaState {...props} />
      </form>
      <details open={props.json !== undefined}>
        <summary>Edit as JSON</summary>
        <form id="json-form" {...send} data-refused={props.json !== undefined}>
          <input type="hidden" name="version" value={versionOfSchema(props)} />
          <label class="field">
            <span>Stat schema</span>
            <textarea name="json" rows="12" class="code" translate="no" spellcheck="false">
              {`\n${props.json ?? (Object.keys(schema).length === 0 ? '' : JSON.stringify(schema, null, 2))}`}
            </textarea>
          </label>
          <button type="submit">Save JSON</button>
        </form>
      </details>
    </div>
  )
}

function Sections({ schema, ...props }: SchemaProps): Markup {
  const faults = problemsIn(props)
  const rules = readRules(schema)
  const definitions = (section: string) =>
    Object.entries(objectIn(schema, section)).map(
      ([name, definition]) => [name, isObject(definition) ? definition : {}] as const,
    )
  const checks = definitions('checks')
  return (
    <>
      <Section title="World" path="world" item="world stat" hint="The situation: alarm level, weather, time.">
        {statFieldsOf('world', objectIn(schema, 'world'), faults)}
      </Section>
      <Section
        title="Player"
        path="player"
        item="player stat"
        hint="The main character: strength, coins, inventory."
      >
        {statFieldsOf('player', objectIn(schema, 'player'), faults)}
      </Section>
      <Section title="Characters" path="npcs" item="character" hint="Each has stats and a story card.">
        {definitions('npcs').map(([id, npc]) => (
          <CharacterFields id={id} npc={npc} faults={faults} />
        ))}
      </Section>
      <Section title="Flags" path="flags" item="flag" hint="On or off, and can change at any time.">
        {definitions('flags').map(([name, definition]) => (
          <FlagFields path={`flags.${name}`} name={name} definition={definition} hasStart />
        ))}
      </Section>
      <Section title="Milestones" path="milestones" item="milestone" hint="Reached once, for good.">
        {definitions('milestones').map(([name, definition]) => (
          <FlagFields path={`milestones.${name}`} name={name} definition={definition} />
        ))}
      </Section>
      <Section title="Checks" path="checks" item="check" hint="What the player may try, and dice decide.">
        {checks.map(([name, definition]) => (
          <CheckFields name={name} definition={definition} rules={rules} />
        ))}
      </Section>
    </>
  )
}

interface SectionProps {
  title: string
  path: string
  item: string
  hint: string
  children: Markup[]
}

function Section({ title, path, item, hint, children }: SectionProps): Markup {
  return (
    <section>
      <h2>{title}</h2>
      {children.length === 0 ? <p class="about">{hint}</p> : children}
      <button type="submit" name="do" value={`add:${path}`}>
        Add {item}
      </button>
    </section>
  )
}

/** Replaced after each pause in typing. */
export function SchemaState(props: SchemaProps): Markup {
  const { schema, warnings, clash } = props
  const rules = readRules(schema)
  const problems = problemsIn(props)
  return (
    <div id="schema-state" data-state data-refused={clash !== undefined}>
      <input type="hidden" name="version" value={versionOfSchema(props)} />
      <Clash {...props} />
      <p role="status" hidden={clash !== undefined} class={problems.length > 0 ? 'bad' : 'good'}>
        {statusOf(props, hasRules(rules))}
      </p>
      <Remarks title="Problems" remarks={problems} />
      <Remarks title="Suggestions" remarks={warnings} />
      {hasRules(rules) ? (
        <details>
          <summary>Preview what the model gets</summary>
          <pre class="raw">{guideOf(rules)}</pre>
        </details>
      ) : null}
      {Object.keys(objectIn(schema, 'checks')).length > 0 ? <ChangeableNames rules={rules} /> : null}
    </div>
  )
}

function versionOfSchema({ version, schema }: SchemaProps): string {
  return version ?? versionOfForm({ texts: [SCHEMA], stored: { schema } })
}

function statusOf({ isDraft, faults, json }: SchemaProps, hasStats: boolean): string {
  if (json !== undefined) return 'Not saved.'
  const unnamed = faults.filter(isUnnamed)
  const problems = faults.length - unnamed.length
  if (problems > 0 || (isDraft && faults.length === 0))
    return `This is a draft with ${countOf(problems, 'problem')}, listed below. New stories use the last valid version until you fix it.`
  if (unnamed.length > 0)
    return `Give the ${AND.format(new Set(unnamed.map(kindOf)))} a name. Until then, new stories use the last valid version.`
  return hasStats ? 'New stories use these stats; existing stories keep theirs.' : 'No stats yet.'
}

const AND = new Intl.ListFormat('en-GB')

const KINDS: Record<string, string> = {
  npcs: 'new character',
  flags: 'new flag',
  milestones: 'new milestone',
  checks: 'new check',
}

/** The word for an entry without a name. Its fields have names of their own. */
function kindOf({ path }: FieldError): string {
  const [, section = '', ...inner] = path.split('/')
  return inner.length > 1 ? 'new stat' : (KINDS[section] ?? 'new stat')
}

function problemsIn({ faults }: Pick<SchemaProps, 'faults'>): FieldError[] {
  return faults.filter((fault) => !isUnnamed(fault))
}

/** A new entry has no name at first, which is no mistake of its author. */
function isUnnamed({ path, message }: FieldError): boolean {
  return message === 'needs a name' && /\/\s*$/.test(path)
}

const SCHEMA = {
  name: 'schema',
  label: 'Stat schema',
  shown: (stored: string) => JSON.stringify(JSON.parse(stored), null, 2),
}

function Clash({ scenarioId, schema, clash }: SchemaProps): Markup | null {
  if (clash === undefined) return null
  const { stored, form } = clash
  const both = { field: SCHEMA.name, stored: JSON.stringify(stored), sent: JSON.stringify(schema) }
  const page = editorUrl(scenarioId, 'stats')
  return (
    <ConflictChoice form={{ id: form, page, texts: [SCHEMA], stored: { schema: stored } }} clashes={[both]} />
  )
}

function Remarks({ title, remarks }: { title: string; remarks: FieldError[] }): Markup | null {
  if (remarks.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {remarks.map(({ path, message }) => (
          <li>
            {checkPlace(path) ?? <code>{formPath(path)}</code>} {message}
          </li>
        ))}
      </ul>
    </>
  )
}

import type { Authored } from '../../app/stat-schema.ts'
import { seenMark } from '../../domain/changed-elsewhere.ts'
import type { Fault } from '../../domain/errors.ts'
import { guideOf } from '../../domain/world/guide.ts'
import { isObject, objectIn, ownValue } from '../../domain/world/objects.ts'
import { hasRules, readRules } from '../../domain/world/rules.ts'
import { linesOf } from '../../domain/world/schema-form.ts'
import type { StatSchema } from '../../domain/world/state.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'

export interface SchemaProps extends Authored {
  scenarioId: number
  /** The JSON view is open, with a text that could not be read. */
  json?: string | undefined
  /** It has just been saved. */
  isSaved?: boolean
  /** The mark of the schema that was seen, where `schema` holds what was typed and not taken. */
  seen?: string | undefined
  /** What is stored meanwhile, and in which form something else was written. */
  clash?: { stored: StatSchema; deed: 'save' | 'json' } | undefined
}

type Def = Record<string, unknown>

/** What is counted in the stories of a scenario, as a form and as JSON: two views of one value. */
export function SchemaEditor(props: SchemaProps): Markup {
  const { scenarioId, schema } = props
  const action = `/scenarios/${scenarioId}/stats`
  const npcs = Object.entries(objectIn(schema, 'npcs'))
  const swap = { 'hx-post': action, 'hx-target': '#stats', 'hx-swap': 'outerHTML' }
  return (
    <div id="stats" class="schema" x-data="autosave">
      <form id="schema-form" method="post" action={`${action}#stats`} {...swap} x-on:input="typing">
        <p class="row">
          <button type="submit" name="do" value="save" class="main">
            Save what is counted
          </button>
        </p>
        <input type="hidden" name="base" value={JSON.stringify(schema)} />
        <Section title="The world" add="world" what="stat" about="The situation: alarm, weather, the hour.">
          {statsOf('world', objectIn(schema, 'world'))}
        </Section>
        <Section
          title="The player"
          add="player"
          what="stat"
          about="The hero: strength, coins, what is carried."
        >
          {statsOf('player', objectIn(schema, 'player'))}
        </Section>
        <Section
          title="Characters"
          add="npcs"
          what="character"
          about="Each with numbers of their own, and a story card."
        >
          {npcs.map(([id, npc]) => (
            <Character id={id} npc={isObject(npc) ? npc : {}} />
          ))}
        </Section>
        <Section title="Flags" add="flags" what="flag" about="Yes or no, as often as the story turns.">
          {Object.entries(objectIn(schema, 'flags')).map(([name, def]) => (
            <Switch path={`flags.${name}`} name={name} def={isObject(def) ? def : {}} starts />
          ))}
        </Section>
        <Section title="Milestones" add="milestones" what="milestone" about="Reached once, and for good.">
          {Object.entries(objectIn(schema, 'milestones')).map(([name, def]) => (
            <Switch path={`milestones.${name}`} name={name} def={isObject(def) ? def : {}} />
          ))}
        </Section>
      </form>
      <SchemaState {...props} />
      <details open={props.json !== undefined}>
        <summary>The same as JSON</summary>
        <form id="json-form" method="post" action={`${action}#stats`} {...swap}>
          <input type="hidden" name="seen" value={props.seen ?? seenMark(schema)} />
          <label class="field">
            <span>Stat schema</span>
            <textarea name="json" rows="12" class="code" spellcheck="false">
              {`\n${props.json ?? (Object.keys(schema).length === 0 ? '' : JSON.stringify(schema, null, 2))}`}
            </textarea>
          </label>
          <button type="submit" name="do" value="json">
            Use this JSON
          </button>
        </form>
      </details>
    </div>
  )
}

/** Whether it is saved, what to look at, and the list as the model gets it. Put in anew after each pause in the typing. */
export function SchemaState({
  scenarioId,
  schema,
  isDraft,
  faults,
  warnings,
  isSaved = false,
  seen,
  clash,
}: SchemaProps): Markup {
  const rules = readRules(schema)
  return (
    <div
      id="schema-state"
      hx-post={`/scenarios/${scenarioId}/stats`}
      hx-include="#schema-form"
      hx-trigger="autosave"
      hx-swap="outerHTML"
    >
      <input type="hidden" form="schema-form" name="seen" value={seen ?? seenMark(schema)} />
      {clash ? <Clash {...clash} /> : null}
      <p role="status" hidden={clash !== undefined} class={isDraft || faults.length > 0 ? 'bad' : 'good'}>
        {faults.length === 0 && !isDraft
          ? isSaved
            ? 'Saved. New stories count by it; running ones go on as they are.'
            : hasRules(rules)
              ? 'New stories count by this.'
              : 'Nothing is counted in this scenario yet.'
          : `Kept as a draft, with ${faults.length === 1 ? 'something' : `${faults.length} things`} to mend (see the end). Until then the last sound version counts.`}
      </p>
      <Remarks title="To mend" remarks={faults} />
      <Remarks title="Worth a look" remarks={warnings} />
      {hasRules(rules) ? (
        <details>
          <summary>As the model gets it</summary>
          <pre class="raw">{guideOf(rules)}</pre>
        </details>
      ) : null}
    </div>
  )
}

/** What is stored stands beside what was typed; the author chooses. */
function Clash({ stored, deed }: { stored: StatSchema; deed: 'save' | 'json' }): Markup {
  return (
    <div class="clash" role="alert">
      <label class="field">
        <span>Not saved: this was changed in another place meanwhile. There it says:</span>
        <textarea rows="6" class="code" readonly>{`\n${JSON.stringify(stored, null, 2)}`}</textarea>
      </label>
      <button
        type="submit"
        form={deed === 'json' ? 'json-form' : 'schema-form'}
        name="do"
        value={`${deed}:${seenMark(stored)}`}
      >
        Keep what I have here
      </button>
    </div>
  )
}

function Remarks({ title, remarks }: { title: string; remarks: Fault[] }): Markup | null {
  if (remarks.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {remarks.map(({ path, message }) => (
          <li>
            <code>{path.replace(/^\//, '').replaceAll('/', '.')}</code> {message}
          </li>
        ))}
      </ul>
    </>
  )
}

function Section({
  title,
  add,
  what,
  about,
  children,
}: {
  title: string
  add: string
  what: string
  about: string
  children: Markup[]
}): Markup {
  return (
    <section>
      <h2>{title}</h2>
      {children.length === 0 ? <p class="about">{about}</p> : children}
      <button type="submit" name="do" value={`add:${add}`}>
        Add a {what}
      </button>
    </section>
  )
}

function Character({ id, npc }: { id: string; npc: Def }): Markup {
  const path = `npc.${id}`
  const kept = keptIn(path, npc)
  return (
    <fieldset class="counted">
      <legend>{textOf(npc, 'name') || id}</legend>
      <div class="fields">
        <Input label="Short name, for the model" field="name" path={path} value={id} />
        <Input label="Name" field="shown" path={path} value={textOf(npc, 'name')} />
        <Input label="Named in the story as" {...kept('keys')} hint="Words, with commas" />
      </div>
      <Area label="Description" {...kept('desc')} rows={2} />
      {statsOf(path, objectIn(npc, 'stats'))}
      <p class="row">
        <button type="submit" name="do" value={`add:${path}`}>
          Add a stat of theirs
        </button>
        <Remove path={path} what={textOf(npc, 'name') || id} />
      </p>
    </fieldset>
  )
}

function statsOf(section: string, stats: Def): Markup[] {
  return Object.entries(stats).map(([name, def]) => (
    <StatFields path={`${section}.${name}`} name={name} def={isObject(def) ? def : {}} />
  ))
}

const KINDS = [
  ['number', 'Number'],
  ['counter', 'Counts up only'],
  ['text', 'Text'],
] as const

/** The fields of one stat. The style sheet shows those of its kind. */
function StatFields({ path, name, def }: { path: string; name: string; def: Def }): Markup {
  const kind = textOf(def, 'type') || 'number'
  const kept = keptIn(path, def)
  return (
    <fieldset class="counted">
      <legend>{textOf(def, 'label') || name}</legend>
      <div class="fields">
        <Input label="Name" field="name" path={path} value={name} />
        <label>
          <span>Kind</span>
          <select name={`type:${path}`}>
            {KINDS.map(([value, words]) => (
              <option value={value} selected={value === kind}>
                {words}
              </option>
            ))}
            {KINDS.some(([value]) => value === kind) ? null : (
              <option value={kind} selected>
                {kind}
              </option>
            )}
          </select>
        </label>
        <Input label="Begins at" {...kept('initial')} />
        <Input label="Least" {...kept('min')} of="number" />
        <Input label="Most" {...kept('max')} of="number" />
        <Input label="Moves in a turn" {...kept('max_delta_per_turn')} of="number" hint="by at most" />
        <Input label="Longest" {...kept('max_length')} of="text" hint="Characters" />
      </div>
      <Area label="Description, for the model" {...kept('desc')} rows={2} />
      <details>
        <summary>More</summary>
        <div class="fields">
          <Input label="Shown as" {...kept('label')} />
          <Input label="Gains in a turn" {...kept('max_gain_per_turn')} of="number" hint="by at most" />
          <Input label="Loses in a turn" {...kept('max_loss_per_turn')} of="number" hint="by at most" />
          <Input label="Rests after a change" {...kept('cooldown')} hint="In actions: a turn has two" />
        </div>
        <Area
          label="Bands"
          field="bands"
          path={path}
          value={linesOf(ownValue(def, 'bands'))}
          rows={3}
          of="number"
          hint="A line each, such as “0 to 12 numb with cold”"
        />
        <Area
          label="Only one of these"
          field="options"
          path={path}
          value={linesOf(ownValue(def, 'options'))}
          rows={3}
          of="text"
          hint="A line each; leave it empty for free text"
        />
        <label class="check">
          <input
            type="checkbox"
            name={`hidden:${path}`}
            value="1"
            checked={ownValue(def, 'hidden') === true}
          />
          <span>Hidden from the model</span>
        </label>
      </details>
      <p class="row">
        <Remove path={path} what={name} />
      </p>
    </fieldset>
  )
}

/** A flag or a milestone. `starts` asks how it begins. */
function Switch({
  path,
  name,
  def,
  starts = false,
}: {
  path: string
  name: string
  def: Def
  starts?: boolean
}): Markup {
  const kept = keptIn(path, def)
  return (
    <fieldset class="counted">
      <legend>{textOf(def, 'label') || name}</legend>
      <div class="fields">
        <Input label="Name" field="name" path={path} value={name} />
        <Input label="Shown as" {...kept('label')} />
        {starts ? (
          <label class="check">
            <input
              type="checkbox"
              name={`on:${path}`}
              value="1"
              checked={ownValue(def, 'initial') === true}
            />
            <span>Begins as yes</span>
          </label>
        ) : null}
      </div>
      <Area label="Description, for the model" {...kept('desc')} rows={2} />
      <p class="row">
        <Remove path={path} what={name} />
      </p>
    </fieldset>
  )
}

interface FieldProps {
  label: string
  field: string
  path: string
  value: string
  hint?: string
  /** Only for stats of this kind. */
  of?: 'number' | 'text'
}

function Input({ label, field, path, value, hint, of }: FieldProps): Markup {
  return (
    <label class={of && `of-${of}`}>
      <span>
        {label}
        {hint ? <small> {hint}</small> : null}
      </span>
      <input name={`${field}:${path}`} value={value} autocomplete="off" />
    </label>
  )
}

function Area({ label, field, path, value, hint, rows, of }: FieldProps & { rows: number }): Markup {
  return (
    <label class={of && `of-${of}`}>
      <span>
        {label}
        {hint ? <small> {hint}</small> : null}
      </span>
      <textarea name={`${field}:${path}`} rows={String(rows)}>{`\n${value}`}</textarea>
    </label>
  )
}

function Remove({ path, what }: { path: string; what: string }): Markup {
  return (
    <button type="submit" name="do" value={`drop:${path}`} aria-label={`Remove ${what}`}>
      Remove
    </button>
  )
}

/** A field of one definition: where it stands and what is in it. */
function keptIn(path: string, def: Def) {
  return (field: string) => ({ field, path, value: textOf(def, field) })
}

function textOf(def: Def, key: string): string {
  const value = ownValue(def, key)
  return value === undefined || value === null
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)
}

import type { Authored } from '../../app/stat-schema.ts'
import { seenMark } from '../../domain/changed-elsewhere.ts'
import type { Fault } from '../../domain/errors.ts'
import { guideOf } from '../../domain/world/prompt/guide.ts'
import { isObject, objectIn } from '../../lib/objects.ts'
import { hasRules, readRules } from '../../domain/world/rules.ts'
import type { StatSchema } from '../../domain/world/state.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { Character, Switch, statsOf } from './stat-fields.tsx'

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

/** What is counted in the stories of a scenario, as a form and as JSON: two views of one value. */
export function SchemaEditor(props: SchemaProps): Markup {
  const { scenarioId, schema, faults } = props
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
          {statsOf('world', objectIn(schema, 'world'), faults)}
        </Section>
        <Section
          title="The player"
          add="player"
          what="stat"
          about="The hero: strength, coins, what is carried."
        >
          {statsOf('player', objectIn(schema, 'player'), faults)}
        </Section>
        <Section
          title="Characters"
          add="npcs"
          what="character"
          about="Each with numbers of their own, and a story card."
        >
          {npcs.map(([id, npc]) => (
            <Character id={id} npc={isObject(npc) ? npc : {}} faults={faults} />
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

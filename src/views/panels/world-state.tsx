import { bandOf, type NumberStat, type Rules, type Stat } from '../../domain/world/rules.ts'
import {
  isReached,
  lastChanged,
  liveFlag,
  liveNumber,
  liveText,
  type WorldState,
} from '../../domain/world/state.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { Icon } from '../ui/icon.tsx'

export interface WorldProps {
  adventureId: number
  rules: Rules
  state: WorldState
  /** Index of the newest action: the clock by which stats rest. */
  newest: number
  /** The values are open for the player's own hand. */
  editing?: boolean
  /** What was typed and not taken, by the name of its field. */
  typed?: Record<string, string> | undefined
}

/** The World State drawer: everything that is counted, as it stands now. */
export function WorldDrawer(props: WorldProps): Markup {
  return (
    <aside
      id="world"
      class={props.editing ? 'world open' : 'world'}
      aria-label="World state"
      popover={props.editing ? undefined : 'auto'}
    >
      <div class="panel-head">
        <h2>World</h2>
        {props.editing ? (
          <a class="button narrow" href={`/adventures/${props.adventureId}#tools`}>
            <Icon sign="close" /> Close
          </a>
        ) : (
          <button type="button" class="narrow" popovertarget="world" popovertargetaction="hide" autofocus>
            <Icon sign="close" /> Close
          </button>
        )}
      </div>
      <WorldInside {...props} />
    </aside>
  )
}

/** The inside of the drawer, put in anew whenever the numbers have changed. */
export function WorldInside(props: WorldProps): Markup {
  return <div id="world-state">{props.editing ? <WorldForm {...props} /> : <WorldValues {...props} />}</div>
}

function WorldValues({ adventureId, rules, state, newest }: WorldProps): Markup {
  const { flags, milestones } = rules
  const shown = groupsOf(rules, (stat) => !stat.hidden)
  const hidden = rules.stats.filter((stat) => stat.hidden)
  const values = (stats: readonly Stat[]) => (
    <dl class="stats">
      {stats.map((stat) => (
        <StatValue stat={stat} state={state} newest={newest} />
      ))}
    </dl>
  )
  return (
    <>
      {shown.map(({ title, about, stats }) => (
        <section>
          <h3 title={about}>{title}</h3>
          {values(stats)}
        </section>
      ))}
      {flags.length > 0 ? (
        <section>
          <h3>Flags</h3>
          <ul class="flags">
            {flags.map((flag) => (
              <li class={liveFlag(state, flag) ? 'on' : 'off'} title={flag.desc}>
                {flag.label}: {liveFlag(state, flag) ? 'yes' : 'no'}
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {milestones.length > 0 ? (
        <section>
          <h3>Milestones</h3>
          <ul class="milestones">
            {milestones.map((milestone) => (
              <li class={isReached(state, milestone) ? 'on' : 'off'}>
                <span aria-hidden="true">{isReached(state, milestone) ? '☑' : '☐'} </span>
                {milestone.desc === '' ? milestone.label : milestone.desc}
                <span class="unseen">{isReached(state, milestone) ? ': reached' : ': open'}</span>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {hidden.length > 0 ? (
        <details>
          <summary>Hidden from the narrator ({hidden.length})</summary>
          {values(hidden)}
        </details>
      ) : null}
      <p class="row">
        <a href={`/adventures/${adventureId}?world=edit#world`} {...swapOf(adventureId, 'edit')}>
          Change by hand
        </a>
        <a href={`/adventures/${adventureId}/insights`}>How it came about</a>
      </p>
    </>
  )
}

function StatValue({ stat, state, newest }: { stat: Stat; state: WorldState; newest: number }): Markup {
  const rests = restsFor(stat, state, newest)
  return (
    <div>
      <dt title={stat.desc}>{stat.label}</dt>
      <dd>
        {stat.kind === 'text' ? liveText(state, stat) || '—' : <NumberValue stat={stat} state={state} />}
        {rests === 0 ? null : <small>May move again in {rests === 1 ? '1 turn' : `${rests} turns`}.</small>}
      </dd>
    </div>
  )
}

function NumberValue({ stat, state }: { stat: NumberStat; state: WorldState }): Markup {
  const { min, max, label } = stat
  const value = liveNumber(state, stat)
  const band = bandOf(stat, value)
  return (
    <>
      {String(value)}
      {max === null ? null : min !== null && min < 0 ? ` (${min} to ${max})` : `/${max}`}
      {band === null ? null : <span class="band"> {band}</span>}
      {min !== null && max !== null && max > min ? (
        <meter min={String(min)} max={String(max)} value={String(value)} aria-label={label} />
      ) : null}
    </>
  )
}

/** Turns until a stat may move again; 0 when it may now. */
function restsFor({ path, cooldown }: Stat, state: WorldState, newest: number): number {
  const last = lastChanged(state, path)
  if (last === null || last > newest || cooldown === 0) return 0
  const left = last + cooldown - newest
  // Whatever comes next stands one action further on.
  return left < 2 ? 0 : Math.ceil(left / 2)
}

/** The same, open for the player's own hand. Each field says what it was, so that only what was touched is set. */
function WorldForm({ adventureId, rules, state, typed = {} }: WorldProps): Markup {
  const groups = groupsOf(rules, () => true)
  return (
    <form
      class="by-hand"
      method="post"
      action={`/adventures/${adventureId}/world`}
      hx-post={`/adventures/${adventureId}/world`}
      hx-target="#notice"
      hx-swap="innerHTML"
    >
      <p class="about">
        Your own changes count at once, whatever the limits for the narrator are. They belong to the attempt
        that is shown: a retry begins without them.
      </p>
      {groups.map(({ title, stats }) => (
        <fieldset>
          <legend>{title}</legend>
          {stats.map((stat) => (
            <StatField stat={stat} state={state} typed={typed[`set:${stat.path}`]} />
          ))}
        </fieldset>
      ))}
      <Switches legend="Flags" of={rules.flags} isOn={(flag) => liveFlag(state, flag)} />
      <Switches legend="Milestones" of={rules.milestones} isOn={(milestone) => isReached(state, milestone)} />
      <p class="row">
        <button type="submit" class="main">
          Set these values
        </button>
        <a href={`/adventures/${adventureId}#tools`} {...swapOf(adventureId)}>
          Cancel
        </a>
      </p>
    </form>
  )
}

function StatField({
  stat,
  state,
  typed,
}: {
  stat: Stat
  state: WorldState
  typed: string | undefined
}): Markup {
  const live = stat.kind === 'text' ? liveText(state, stat) : String(liveNumber(state, stat))
  const name = `set:${stat.path}`
  return (
    <label>
      <span>
        {stat.label}
        {stat.kind === 'text' ? null : <small> {rangeWords(stat)}</small>}
      </span>
      {stat.kind === 'text' && stat.options ? (
        <select name={name}>
          {stat.options.map((option) => (
            <option value={option} selected={option === (typed ?? live)}>
              {option}
            </option>
          ))}
        </select>
      ) : (
        <input
          name={name}
          value={typed ?? live}
          inputmode={stat.kind === 'text' ? 'text' : 'decimal'}
          autocomplete="off"
        />
      )}
      <input type="hidden" name={`was:${stat.path}`} value={live} />
    </label>
  )
}

function Switches<T extends { path: string; label: string }>({
  legend,
  of,
  isOn,
}: {
  legend: string
  of: readonly T[]
  isOn: (one: T) => boolean
}): Markup | null {
  if (of.length === 0) return null
  return (
    <fieldset>
      <legend>{legend}</legend>
      {of.map((one) => (
        <label class="check">
          <input type="checkbox" name={`on:${one.path}`} value="1" checked={isOn(one)} />
          <span>{one.label}</span>
          <input type="hidden" name={`was-on:${one.path}`} value={isOn(one) ? '1' : ''} />
        </label>
      ))}
    </fieldset>
  )
}

/** The values that a form of the drawer asks for: those that differ from what it showed. */
export function touchedIn(fields: Record<string, string>): Record<string, unknown> {
  const entries = Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
    if (name.startsWith('set:')) {
      const path = name.slice('set:'.length)
      // A decimal comma is a point.
      return value === fields[`was:${path}`] ? [] : [[path, value.replace(/^([+-]?\d+),(\d+)$/, '$1.$2')]]
    }
    if (!name.startsWith('was-on:')) return []
    const path = name.slice('was-on:'.length)
    const isOn = fields[`on:${path}`] === '1'
    return isOn === (value === '1') ? [] : [[path, isOn]]
  })
  return Object.fromEntries(entries)
}

interface Group {
  title: string
  about: string
  stats: Stat[]
}

function groupsOf(rules: Rules, isShown: (stat: Stat) => boolean): Group[] {
  const own = (prefix: string) =>
    rules.stats.filter((stat) => stat.npc === null && stat.path.startsWith(prefix) && isShown(stat))
  return [
    { title: 'The world', about: '', stats: own('world.') },
    { title: 'You', about: '', stats: own('player.') },
    ...rules.npcs.map(({ name, desc, stats }) => ({
      title: name,
      about: desc,
      stats: stats.filter(isShown),
    })),
  ].filter(({ stats }) => stats.length > 0)
}

function rangeWords({ min, max }: NumberStat): string {
  if (min !== null && max !== null) return `${min} to ${max}`
  return min !== null ? `${min} or more` : max !== null ? `${max} or less` : ''
}

function swapOf(adventureId: number, mode?: 'edit'): Record<string, string> {
  return {
    'hx-get': `/adventures/${adventureId}${mode ? `?world=${mode}` : ''}`,
    'hx-select': '#world-state',
    'hx-target': '#world-state',
    'hx-swap': 'outerHTML',
  }
}

import { bandOf, type NumberStat, nameOfMilestone, type Rules, type Stat } from '../../domain/world/rules.ts'
import {
  isReached,
  lastChanged,
  liveFlag,
  liveNumber,
  liveText,
  type WorldState,
} from '../../domain/world/state.ts'
import { noticeForm } from '../form-attributes.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { Icon } from '../ui/icon.tsx'
import { panelUrl, storyEndUrl, storyUrl } from '../urls.ts'

export interface WorldProps {
  adventureId: number
  rules: Rules
  state: WorldState
  /** Index of the newest action: the clock of cooldowns. */
  newest: number
  /** The changes of the newest turn are still being recorded. */
  recording?: boolean
  /** The player is editing the values. */
  editing?: boolean
  /** Refused input, by field name. */
  typed?: Record<string, string> | undefined
}

/** The world state panel: the current value of every stat, flag and milestone. */
export function WorldStatePanel(props: WorldProps): Markup {
  return (
    <aside
      id="world"
      class={props.editing ? 'world open' : 'world'}
      aria-label="World state"
      popover={props.editing ? undefined : 'auto'}
    >
      <div class="panel-head">
        <h2>World state</h2>
        {props.editing ? (
          <a class="button narrow" href={storyEndUrl(props.adventureId)}>
            <Icon sign="close" /> Close
          </a>
        ) : (
          <button type="button" class="narrow" popovertarget="world" popovertargetaction="hide" autofocus>
            <Icon sign="close" /> Close
          </button>
        )}
      </div>
      <WorldStateContent {...props} />
    </aside>
  )
}

/** The panel's content, replaced whenever values change. */
export function WorldStateContent(props: WorldProps): Markup {
  return <div id="world-state">{props.editing ? <WorldForm {...props} /> : <WorldValues {...props} />}</div>
}

/** Asks once for the recorded changes; the answer comes when they are there, and replaces the mark. */
function RecordingMark({ adventureId }: { adventureId: number }): Markup {
  return (
    <span
      id="recording"
      class="about"
      title="The model is asked for the changes of this turn. You can go on."
      hx-get={storyUrl(adventureId, { recorded: 1 })}
      hx-trigger="load"
      hx-swap="none"
    >
      recording…
    </span>
  )
}

function WorldValues({ adventureId, rules, state, newest, recording }: WorldProps): Markup {
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
              <li
                class={liveFlag(state, flag) ? 'on' : 'off'}
                title={flag.desc}
                data-path={flag.path}
                data-value={String(liveFlag(state, flag))}
              >
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
              <li
                class={isReached(state, milestone) ? 'on' : 'off'}
                data-path={milestone.path}
                data-value={String(isReached(state, milestone))}
              >
                <span aria-hidden="true">{isReached(state, milestone) ? '☑' : '☐'} </span>
                {nameOfMilestone(milestone)}
                <span class="unseen">{isReached(state, milestone) ? ': reached' : ': not reached'}</span>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {hidden.length > 0 ? (
        <details>
          <summary>Hidden from the model ({hidden.length})</summary>
          {values(hidden)}
        </details>
      ) : null}
      <p class="row">
        <a href={`${storyUrl(adventureId, { world: 'edit' })}#world`} {...swapOf(adventureId, 'edit')}>
          Edit values
        </a>
        <a
          href={panelUrl(adventureId, 'history')}
          hx-get={storyUrl(adventureId, { panel: 'history' })}
          hx-select="#panel"
          hx-target="#panel"
          hx-swap="outerHTML"
        >
          History
        </a>
        {recording ? <RecordingMark adventureId={adventureId} /> : null}
      </p>
    </>
  )
}

function StatValue({ stat, state, newest }: { stat: Stat; state: WorldState; newest: number }): Markup {
  const turns = cooldownOf(stat, state, newest)
  return (
    <div data-path={stat.path} data-value={shownValue(stat, state)}>
      <dt title={stat.desc}>{stat.label}</dt>
      <dd>
        {stat.kind === 'text' ? liveText(state, stat) || '—' : <NumberValue stat={stat} state={state} />}
        {turns === 0 ? null : <small>Can change again in {turns === 1 ? '1 turn' : `${turns} turns`}.</small>}
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

function shownValue(stat: Stat, state: WorldState): string {
  return stat.kind === 'text' ? liveText(state, stat) : String(liveNumber(state, stat))
}

/** Turns until a stat can change again; 0 if it can now. */
function cooldownOf({ path, cooldown }: Stat, state: WorldState, newest: number): number {
  const last = lastChanged(state, path)
  if (last === null || last > newest || cooldown === 0) return 0
  const left = last + cooldown - newest
  // The next action has the next index.
  return left < 2 ? 0 : Math.ceil(left / 2)
}

/** The values as a form. Each field also sends its old value, so that only edited ones are set. */
function WorldForm({ adventureId, rules, state, typed = {} }: WorldProps): Markup {
  const groups = groupsOf(rules, () => true)
  return (
    <form class="by-hand" {...noticeForm(`${storyUrl(adventureId)}/world`)}>
      <p class="about">
        Your changes apply at once, whatever limits the narrator has. They belong to the version shown: a
        retry starts without them.
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
          Save
        </button>
        <a href={storyEndUrl(adventureId)} {...swapOf(adventureId)}>
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
  const live = shownValue(stat, state)
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
          dir="auto"
          translate="no"
          inputmode={stat.kind === 'text' ? 'text' : 'decimal'}
          autocomplete="off"
        />
      )}
      <input type="hidden" name={`was:${stat.path}`} value={live} />
    </label>
  )
}

function Switches<T extends { path: string; label: string; desc: string }>({
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
          <span>{one.path.startsWith('milestones.') ? nameOfMilestone(one) : one.label}</span>
          <input type="hidden" name={`was-on:${one.path}`} value={isOn(one) ? '1' : ''} />
        </label>
      ))}
    </fieldset>
  )
}

/** The values that the form changes: those that differ from what it showed. */
export function changedValues(fields: Record<string, string>): Record<string, unknown> {
  const entries = Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
    if (name.startsWith('set:')) {
      const path = name.slice('set:'.length)
      // Accept a decimal comma.
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
    'hx-get': storyUrl(adventureId, mode && { world: mode }),
    'hx-select': '#world-state',
    'hx-target': '#world-state',
    'hx-swap': 'outerHTML',
  }
}

import { sentenceWords } from '../../domain/world/change-words.ts'
import { bandOf, type NumberStat, nameOfMilestone, type Rules, type Stat } from '../../domain/world/rules.ts'
import {
  isReached,
  lastChanged,
  liveFlag,
  liveNumber,
  liveText,
  type WorldState,
} from '../../domain/world/state.ts'
import { noticeForm, regionFrom } from '../form-attributes.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { countOf } from '../ui/format-number.ts'
import { Icon } from '../ui/icon.tsx'
import { groupsOf, StateFields, shownValue } from '../ui/state-fields.tsx'
import { panelUrl, storyEndUrl, storyUrl } from '../urls.ts'

export interface WorldProps {
  adventureId: number
  rules: Rules
  state: WorldState
  /** Index of the newest action: the clock of cooldowns. */
  newest: number
  /** The sentences that tell the changes of the newest narration, by path. */
  told?: ReadonlyMap<string, string>
  editing?: boolean
  typed?: Record<string, string> | undefined
  /** Shown in the panel, which covers the page on a phone. */
  notice?: string
}

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
          <a class="button close narrow" title="Close" href={storyEndUrl(props.adventureId)}>
            <Icon sign="close" /> <span class="unseen">Close</span>
          </a>
        ) : (
          <button
            type="button"
            class="close narrow"
            title="Close"
            popovertarget="world"
            popovertargetaction="hide"
            autofocus
          >
            <Icon sign="close" /> <span class="unseen">Close</span>
          </button>
        )}
      </div>
      <p id="world-said" class="about" role="alert">
        {props.editing ? null : props.notice}
      </p>
      <WorldStateContent {...props} />
    </aside>
  )
}

export function WorldStateContent(props: WorldProps): Markup {
  return <div id="world-state">{props.editing ? <WorldForm {...props} /> : <WorldValues {...props} />}</div>
}

function WorldValues({ adventureId, rules, state, newest, told }: WorldProps): Markup {
  const { flags, milestones } = rules
  const shown = groupsOf(rules, (stat) => !stat.hidden)
  const hidden = rules.stats.filter((stat) => stat.hidden)
  const values = (stats: readonly Stat[]) => (
    <dl class="stats">
      {stats.map((stat) => (
        <StatValue stat={stat} state={state} newest={newest} because={told?.get(stat.path)} />
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
        <a
          href={`${storyUrl(adventureId, { world: 'edit' })}#world`}
          {...regionFrom(storyUrl(adventureId, { world: 'edit' }), '#world-state')}
        >
          Edit values
        </a>
        <a
          href={panelUrl(adventureId, 'history')}
          {...regionFrom(storyUrl(adventureId, { panel: 'history' }), '#panel')}
        >
          History
        </a>
      </p>
    </>
  )
}

interface StatValueProps extends Pick<WorldProps, 'state' | 'newest'> {
  stat: Stat
  because: string | undefined
}

function StatValue({ stat, state, newest, because }: StatValueProps): Markup {
  const turns = cooldownOf(stat, state, newest)
  return (
    <div data-path={stat.path} data-value={shownValue(stat, state)}>
      <dt title={stat.desc}>{stat.label}</dt>
      <dd>
        {stat.kind === 'text' ? liveText(state, stat) || '—' : <NumberValue stat={stat} state={state} />}
        {turns === 0 ? null : <small>Can change again in {countOf(turns, 'turn')}.</small>}
        {because === undefined ? null : <small>{sentenceWords(because)}</small>}
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

/** Turns until a stat can change again; 0 if it can now. */
function cooldownOf({ path, cooldown }: Stat, state: WorldState, newest: number): number {
  const last = lastChanged(state, path)
  if (last === null || last > newest || cooldown === 0) return 0
  const left = last + cooldown - newest
  // The next action has the next index.
  return left < 2 ? 0 : Math.ceil(left / 2)
}

function WorldForm({ adventureId, rules, state, typed = {}, notice }: WorldProps): Markup {
  return (
    <form class="by-hand" {...noticeForm(`${storyUrl(adventureId)}/world`, '#world-notice')}>
      <p class="about">
        Your changes apply at once, whatever limits the narrator has. They belong to the version shown: a
        retry starts without them.
      </p>
      <StateFields rules={rules} state={state} typed={typed} />
      <div class="row">
        <button type="submit" class="main">
          Save
        </button>
        <a href={storyEndUrl(adventureId)} {...regionFrom(storyUrl(adventureId), '#world-state')}>
          Cancel
        </a>
        <div id="world-notice" class="bad" role="alert">
          {notice}
        </div>
      </div>
    </form>
  )
}

import { type NumberStat, nameOfMilestone, type Rules, type Stat } from '../../domain/world/rules.ts'
import { isReached, liveFlag, liveNumber, liveText, type WorldState } from '../../domain/world/state.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { Select } from './field.tsx'

interface StateFieldsProps {
  rules: Rules
  state: WorldState
  /** By field name. */
  typed?: Record<string, string>
}

/** Each field also sends its old value, so that only edited ones are set. */
export function StateFields({ rules, state, typed = {} }: StateFieldsProps): Markup {
  return (
    <>
      {groupsOf(rules, () => true).map(({ title, stats }) => (
        <fieldset>
          <legend>{title}</legend>
          {stats.map((stat) => (
            <StatField stat={stat} state={state} typed={typed[`set:${stat.path}`]} />
          ))}
        </fieldset>
      ))}
      <Switches legend="Flags" of={rules.flags} isOn={(flag) => liveFlag(state, flag)} typed={typed} />
      <Switches
        legend="Milestones"
        of={rules.milestones}
        isOn={(milestone) => isReached(state, milestone)}
        typed={typed}
      />
    </>
  )
}

interface StatFieldProps {
  stat: Stat
  state: WorldState
  typed: string | undefined
}

function StatField({ stat, state, typed }: StatFieldProps): Markup {
  const live = shownValue(stat, state)
  const name = `set:${stat.path}`
  return (
    <label>
      <span>
        {stat.label}
        {stat.kind === 'text' ? null : <small> {rangeWords(stat)}</small>}
      </span>
      {stat.kind === 'text' && stat.options ? (
        <Select name={name} options={stat.options.map((option) => [option, option])} chosen={typed ?? live} />
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
  typed,
}: {
  legend: string
  of: readonly T[]
  isOn: (one: T) => boolean
  typed: Record<string, string>
}): Markup | null {
  if (of.length === 0) return null
  const isChecked = (one: T) =>
    typed[`was-on:${one.path}`] === undefined ? isOn(one) : typed[`on:${one.path}`] === '1'
  return (
    <fieldset>
      <legend>{legend}</legend>
      {of.map((one) => (
        <label class="check">
          <input type="checkbox" name={`on:${one.path}`} value="1" checked={isChecked(one)} />
          <span>{one.path.startsWith('milestones.') ? nameOfMilestone(one) : one.label}</span>
          <input type="hidden" name={`was-on:${one.path}`} value={isOn(one) ? '1' : ''} />
        </label>
      ))}
    </fieldset>
  )
}

/** The values that differ from those that the form showed. */
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

export function groupsOf(rules: Rules, isShown: (stat: Stat) => boolean): Group[] {
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

export function shownValue(stat: Stat, state: WorldState): string {
  return stat.kind === 'text' ? liveText(state, stat) : String(liveNumber(state, stat))
}

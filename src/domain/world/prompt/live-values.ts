import { bandOf, type NumberStat, type Rules, type Stat } from '../rules.ts'
import { isReached, liveFlag, liveNumber, liveText, type WorldState } from '../state.ts'

/** Beginnings of the lines of the live values, besides the names of characters. */
export const SUBJECT = {
  world: 'World',
  player: 'You',
  flags: 'Flags',
  goals: 'Goals (milestones, true when reached)',
  achieved: 'Achieved',
} as const

/** One line each for the world, the player, present characters, flags and milestones, without hidden stats. */
export function liveValueLines(rules: Rules, state: WorldState, present: ReadonlySet<string>): string[] {
  const values = (prefix: string, npc: string | null): string =>
    rules.stats
      .filter((stat) => !stat.hidden && stat.npc === npc && stat.path.startsWith(prefix))
      .map((stat) => valueText(stat, state))
      .join(', ')
  const npcs = rules.npcs
    .filter(({ id }) => present.has(id))
    .map(({ id, name }) => line(`${name} (npc.${id})`, values(`npc.${id}.`, id)))
  const flags = rules.flags.map((flag) => `${flag.name} ${liveFlag(state, flag) ? 'yes' : 'no'}`).join(', ')
  const lines = [
    line(SUBJECT.world, values('world.', null)),
    line(SUBJECT.player, values('player.', null)),
    ...npcs,
    line(SUBJECT.flags, flags),
    line(SUBJECT.goals, milestones(rules, state, false)),
    line(SUBJECT.achieved, milestones(rules, state, true)),
  ]
  return lines.filter(Boolean)
}

export const LIVE_VALUES = '[World state'

export function liveValuesSection(lines: readonly string[]): string {
  return `${LIVE_VALUES} now (totals):\n${lines.join('\n')}]`
}

/** The lines of a section by subject: `You`, `Flags`, `Ottoline Marsh (npc.ottoline)`. */
export function linesIn(section: string): Map<string, string> {
  const lines = section.replace(/\]$/, '').split('\n').slice(1)
  return new Map(lines.map((text) => [text.slice(0, text.indexOf(':')), text]))
}

function line(subject: string, text: string): string {
  return text === '' ? '' : `${subject}: ${text}.`
}

function milestones(rules: Rules, state: WorldState, reached: boolean): string {
  return rules.milestones
    .filter((milestone) => isReached(state, milestone) === reached)
    .map(({ name, desc }) => (desc === '' ? name : `${name} — ${desc.replace(/(?<![.\s])[.\s]+$/, '')}`))
    .join('; ')
}

function valueText(stat: Stat, state: WorldState): string {
  if (stat.kind !== 'text') return numberText(stat, liveNumber(state, stat))
  const text = liveText(state, stat)
  return text === '' ? `${stat.name} (unset)` : `${stat.name} "${text}"`
}

function numberText(stat: NumberStat, value: number): string {
  const band = bandOf(stat, value)
  return `${stat.name} ${value}${stat.max === null ? '' : `/${stat.max}`}${band === null ? '' : ` (${band})`}`
}

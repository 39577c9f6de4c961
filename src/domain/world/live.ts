import { bandOf, type NumberStat, type Rules, type Stat } from './rules.ts'
import { isReached, liveFlag, liveNumber, liveText, type WorldState } from './state.ts'

/**
 * The live values, for the model's eyes, a line each: the world's, the player's, those of the characters who are present,
 * flags and goals. Numbers that are hidden are not among them.
 */
export function liveLines(rules: Rules, state: WorldState, present: ReadonlySet<string>): string[] {
  const values = (prefix: string, npc: string | null): string =>
    rules.stats
      .filter((stat) => !stat.hidden && stat.npc === npc && stat.path.startsWith(prefix))
      .map((stat) => shownValue(stat, state))
      .join(', ')
  const world = values('world.', null)
  const player = values('player.', null)
  const cast = rules.npcs.flatMap(({ id, name }) => {
    const own = present.has(id) ? values(`npc.${id}.`, id) : ''
    return own === '' ? [] : [`${name} (npc.${id}): ${own}.`]
  })
  const flags = rules.flags.map((flag) => `${flag.name} ${liveFlag(state, flag) ? 'yes' : 'no'}`).join(', ')
  const goals = (reached: boolean): string =>
    rules.milestones
      .filter((milestone) => isReached(state, milestone) === reached)
      .map(({ name, desc }) => (desc === '' ? name : `${name} — ${desc.replace(/(?<![.\s])[.\s]+$/, '')}`))
      .join('; ')
  const [open, reached] = [goals(false), goals(true)]
  const lines = [
    world === '' ? '' : `World: ${world}.`,
    player === '' ? '' : `You: ${player}.`,
    ...cast,
    flags === '' ? '' : `Flags: ${flags}.`,
    open === '' ? '' : `Goals (milestones, true when reached): ${open}.`,
    reached === '' ? '' : `Achieved: ${reached}.`,
  ]
  return lines.filter(Boolean)
}

/** Live values as they stand in a prompt. */
export function liveSection(lines: readonly string[]): string {
  return `[World state now (totals):\n${lines.join('\n')}]`
}

/** The lines of a section by what they are about: `You`, `Flags`, `Ottoline Marsh (npc.ottoline)`. */
export function linesIn(section: string): Map<string, string> {
  const lines = section.replace(/\]$/, '').split('\n').slice(1)
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line]))
}

function shownValue(stat: Stat, state: WorldState): string {
  if (stat.kind !== 'text') return numberOf(stat, liveNumber(state, stat))
  const text = liveText(state, stat)
  return text === '' ? `${stat.name} (unset)` : `${stat.name} "${text}"`
}

function numberOf(stat: NumberStat, value: number): string {
  const band = bandOf(stat, value)
  return `${stat.name} ${value}${stat.max === null ? '' : `/${stat.max}`}${band === null ? '' : ` (${band})`}`
}

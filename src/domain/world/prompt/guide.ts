import { capitalized } from '../../../lib/text.ts'
import type { Npc, NumberStat, Rules, Stat, TextStat } from '../rules.ts'
import { MAX_TEXT } from '../state.ts'

export const GUIDE_TITLE = 'What this story counts, by path:'

/** Everything that the model may change. The same bytes every turn, so that servers can reuse the prefix. */
export function guideOf(rules: Rules): string {
  const shared = rules.stats.filter(({ npc }) => npc === null)
  const lines = [
    ...visible(shared).map(statLine),
    ...rules.npcs.flatMap((npc) => [npcLine(npc), ...visible(npc.stats).map(statLine)]),
    ...rules.flags.map(({ path, desc }) => line(path, 'true or false', [desc])),
    ...rules.milestones.map(({ path, desc }) => line(path, 'true once it is reached, for good', [desc])),
  ]
  return [GUIDE_TITLE, ...lines].join('\n')
}

function visible(stats: readonly Stat[]): Stat[] {
  return stats.filter(({ hidden }) => !hidden)
}

function line(path: string, kind: string, sentences: readonly string[]): string {
  const text = sentences.map(withoutStop).filter(Boolean).map(capitalized).join('. ')
  return `- ${path} (${kind})${text === '' ? '' : `: ${text}.`}`
}

function statLine(stat: Stat): string {
  return stat.kind === 'text' ? textLine(stat) : numberLine(stat)
}

function textLine({ path, desc, options, maxLength, cooldown }: TextStat): string {
  const kind = options
    ? `one of: ${options.join(', ')}`
    : `free text, at most ${maxLength ?? MAX_TEXT} characters`
  return line(path, kind, [desc, cooldownOf(cooldown)])
}

function numberLine(stat: NumberStat): string {
  const bands = stat.bands.map(({ low, high, label }) => `${spanOf(low, high)} ${label}`).join('; ')
  return line(stat.path, stat.kind === 'counter' ? 'number that only counts up' : 'number', [
    stat.desc,
    rangeOf(stat),
    capOf(stat),
    cooldownOf(stat.cooldown),
    bands,
  ])
}

function rangeOf({ min, max }: NumberStat): string {
  if (min !== null && max !== null) return `range ${spanOf(min, max)}`
  if (min !== null) return `never below ${min}`
  return max === null ? '' : `never above ${max}`
}

function spanOf(low: number, high: number): string {
  return low < 0 || high < 0 ? `${low} to ${high}` : `${low}–${high}`
}

function capOf({ maxGain, maxLoss, kind }: NumberStat): string {
  if (maxGain === maxLoss || (kind === 'counter' && maxGain !== null))
    return maxGain === null ? '' : `at most ${maxGain} a turn`
  const caps = [maxGain === null ? '' : `+${maxGain}`, maxLoss === null ? '' : `−${maxLoss}`].filter(Boolean)
  return `at most ${caps.join(' and ')} a turn`
}

// Cooldowns are counted in actions. A turn has two: the player's line and the reply.
function cooldownOf(cooldown: number): string {
  const turns = Math.ceil(cooldown / 2) - 1
  return turns > 0 ? `rests ${turns === 1 ? 'a turn' : `${turns} turns`} after a change` : ''
}

function npcLine({ id, name, desc }: Npc): string {
  return `- npc.${id}: ${[name, desc].map(withoutStop).filter(Boolean).join('. ')}.`
}

function withoutStop(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/(?<![.\s])[.\s]+$/, '')
}

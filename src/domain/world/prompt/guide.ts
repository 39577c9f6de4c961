import { capitalized } from '../../../lib/text.ts'
import type { Npc, NumberStat, Rules, Stat, TextStat } from '../rules.ts'
import { MAX_TEXT } from '../state.ts'

/** The name of the state block in the prompt, which is also the info string of its fence. */
export const BLOCK_LABEL = 'state_delta'

/** Opens the reminder, and what stands in its place. */
export const REMINDER_OPENING = '[Tell what happens after this'

/** Stands in place of the reminder when the model is asked once more after changes alone (docs/rules.md 4.15). */
export const PROSE_REQUEST = `${REMINDER_OPENING}, in a few sentences of your own. Do not repeat it.]`

/** Ends every message of the player. Without its first sentence, small models send the block alone. */
export const REMINDER = `${REMINDER_OPENING}, in prose. Then end your reply with the ${BLOCK_LABEL} block: only what this passage changed, or {}.]`

/** The first line of the rule on reporting. */
export const RULE_TITLE = 'How you report changes:'

/** The first line of the guide. */
export const GUIDE_TITLE = 'What this story counts, by path:'

/**
 * Everything that the model may change, with ranges and limits (docs/rules.md 6). The same bytes every turn, whoever is
 * present, so that servers can reuse the prefix.
 */
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

/** How to report changes, with an example made from the schema. */
export function reportingRule(rules: Rules): string {
  return `${RULE_TITLE}
The narration decides what happens. Whatever it changes among the paths above must be recorded, numbers as well as switches. After the prose, end every reply with one block of this form:

\`\`\`${BLOCK_LABEL}
${JSON.stringify(exampleOf(rules))}
\`\`\`

That example shows the form, not what happened.
- Give changes, never totals: by how much a number moves, with its sign. A text is given anew as a whole, a flag as true or false, a milestone as true when it is reached.
- Copy each path letter by letter from the list above.
- Cover everything that the passage touched, not only what is obvious, and leave out what stayed the same.
- Keep proportion: an ordinary event moves a number a little; only a turning point moves it far or to the end of its range.
- If nothing changed, give an empty block: {}.
- The block stands last, after whole sentences. The story never mentions it.`
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

/**
 * An example block. Small models repeat it as if it had happened, so it has small changes and initial values: what cannot be
 * taken back, such as a milestone, stands there only if nothing else does.
 */
function exampleOf(rules: Rules): Record<string, unknown> {
  const stats = visible(rules.stats)
  const numbers = stats.filter((stat) => stat.kind !== 'text').filter(({ kind }) => kind === 'number')
  const first = numbers.find(({ npc }) => npc === null)
  const ofNpc = numbers.find(({ npc }) => npc !== null)
  const texts = stats.filter((stat) => stat.kind === 'text')
  const text = texts.find(({ initial }) => initial !== '')
  const [flag] = rules.flags
  const mild: [string, unknown][] = [
    ...(first ? [[first.path, -stepOf(first, first.maxLoss)] as [string, number]] : []),
    ...(ofNpc ? [[ofNpc.path, stepOf(ofNpc, ofNpc.maxGain)] as [string, number]] : []),
    ...(text ? [[text.path, text.initial] as [string, string]] : []),
    ...(flag ? [[flag.path, flag.initial] as [string, boolean]] : []),
  ]
  const other: [string, unknown][] = [
    ...stats.filter((stat) => stat.kind === 'counter').map(({ path }): [string, unknown] => [path, 1]),
    ...texts.map(({ path, options }): [string, unknown] => [path, options?.at(-1) ?? 'the new words']),
    ...rules.milestones.map(({ path }): [string, unknown] => [path, true]),
  ]
  return Object.fromEntries(mild.length > 0 ? mild : other.slice(0, 1))
}

/** A small change: a twentieth of the range, within the cap. */
function stepOf({ min, max }: NumberStat, cap: number | null): number {
  const range = min !== null && max !== null ? max - min : 20
  const small = range >= 20 ? Math.round(range / 20) : range >= 4 ? 1 : range / 20
  return Number(Math.min(small, cap || small).toFixed(6))
}

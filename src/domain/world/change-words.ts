import type { WorldChange } from '../action.ts'
import { nameOfMilestone, nameOfStat, type Rules } from './rules.ts'

/** A change in short: "warmth −8 → 24". A stat that the rules no longer have is named by its path. */
export function changeWords(change: WorldChange, rules: Rules | null): string {
  const name = changedName(change, rules)
  switch (change.kind) {
    case 'rejected':
      return `✗ ${name}`
    case 'milestone':
      return change.on ? `✓ ${name}` : `${name} no longer reached`
    case 'flag':
      return `${name}: ${change.on ? 'yes' : 'no'}`
    case 'stat':
      if (change.delta === null) return `${name} → ${textWords(change.value)}`
      return change.delta === 0
        ? `${name} stays at ${String(change.value)}`
        : `${name} ${signed(change.delta)} → ${String(change.value)}`
  }
}

export function sentenceWords(because: string): string {
  const sentence = because.replace(/\s+/g, ' ').trim()
  return /^["“«„]/.test(sentence) ? sentence : `“${sentence}”`
}

export function withSentence(words: string, { because }: Pick<WorldChange, 'because'>): string {
  if (because === undefined) return words
  return `${words}${words.includes(':') ? ' —' : ':'} ${sentenceWords(because)}`
}

function changedName({ path, label }: WorldChange, rules: Rules | null): string {
  const isIt = (one: { path: string }) => one.path === path
  const [stat, milestone] = [rules?.stats.find(isIt), rules?.milestones.find(isIt)]
  if (milestone) return nameOfMilestone(milestone)
  return rules && stat?.npc ? nameOfStat(stat, rules.npcs) : label.replaceAll('_', ' ')
}

/** Null where its author does not say. */
export function toneOf(change: WorldChange, rules: Rules | null): 'better' | 'worse' | null {
  if (change.kind !== 'stat' || !change.delta) return null
  const stat = rules?.stats.find(({ path }) => path === change.path)
  if (!stat || stat.kind === 'text' || stat.better === null) return null
  return change.delta > 0 === (stat.better === 'up') ? 'better' : 'worse'
}

/** '' if the change was applied as proposed. */
export function verdictWords(change: WorldChange): string {
  const reason = reasonWords(change.reason ?? '')
  switch (change.verdict) {
    case 'applied':
      return ''
    case 'corrected':
      return `accepted; ${reason}`
    case 'manual':
      return reason === '' ? 'set by you' : `set by you; ${reason}`
    case 'rolled':
      return reason === '' ? 'by the dice' : `by the dice; ${reason}`
    case 'refused':
      return `rejected${askedWords(change.asked)}: ${reason}`
    case 'limited': {
      if (change.kind !== 'stat' || change.delta === null || typeof change.asked === 'object') return reason
      return `asked for ${signed(Number(change.asked))}, got ${signed(change.delta)}: ${reason}`
    }
  }
}

/** Stored reasons, and their words for players. */
const REASONS: [stored: RegExp, shown: string][] = [
  [/^(.+) is the most$/, 'the maximum is $1'],
  [/^(.+) is the least$/, 'the minimum is $1'],
  [/^at most (.+) a turn$/, 'at most $1 per turn'],
  [/^no larger number is kept$/, 'numbers cannot be any larger'],
  [/^written as text, meant as (.+)$/, 'the text “$1” was read as $1'],
  [/^cut to its length$/, 'shortened to its maximum length'],
  [/^a limit$/, 'limited'],
]

export function reasonWords(reason: string): string {
  const [stored, shown] = REASONS.find(([pattern]) => pattern.test(reason)) ?? []
  return stored && shown ? reason.replace(stored, shown) : reason
}

function signed(amount: number): string {
  return amount < 0 ? `−${-amount}` : amount > 0 ? `+${amount}` : '0'
}

function askedWords(asked: unknown): string {
  if (typeof asked === 'number') return `, asked for ${signed(asked)}`
  return typeof asked === 'boolean' || typeof asked === 'string' ? `, asked for ${textWords(asked)}` : ''
}

function textWords(value: unknown): string {
  return value === '' ? 'nothing' : String(value)
}

/** A path in words, without its section: “brisa trust” of npc.brisa.trust, “lamp oil” of player.lamp_oil. */
export function pathWords(path: string): string {
  return path
    .replace(/^(?:world|player|npcs?|flags|milestones)\./, '')
    .replace(/[._]/g, ' ')
    .trim()
}

/** The last part of a path in words: "trust" of npc.brisa.trust. */
export function lastName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1).replaceAll('_', ' ')
}

import { type ActionType, worldChange } from '../../domain/action.ts'
import { rollWithOutcome } from '../../domain/checks/roll-words.ts'
import type { PortableAction, PortableActions } from '../../domain/portable/portable.ts'
import type { ProseLanguage } from '../../domain/text/language.ts'
import { withoutLineMark } from '../../domain/text/player-line.ts'
import { blocksOf, type TextBlock } from '../../domain/text/prose-markup.ts'
import { typographic } from '../../domain/text/typography.ts'
import { changeWords, verdictWords, withSentence } from '../../domain/world/change-words.ts'
import { verdictsOf } from '../../domain/world/delta-report.ts'
import { type Rules, readRules } from '../../domain/world/rules.ts'
import type { StatSchema } from '../../domain/world/state.ts'
import { isBlank } from '../../lib/text.ts'
import { withoutControlCharacters } from './control-characters.ts'

/** The parts of a story to include. */
export interface BookOptions {
  /** The player's actions and speech. Prose written by the player is always included. */
  player_lines: boolean
  /** All variants of a passage, not only the live one. Named as in the query of an export. */
  attempts: boolean
  /** The roll and the stat changes of each passage. */
  stats: boolean
  /** Prose has the quotation marks and dashes of its language. */
  typography: boolean
  /** The first and the last action, counted from 0. */
  from: number
  to: number
}

/** The story with the player's actions and nothing else. */
export const WHOLE_STORY: BookOptions = {
  player_lines: true,
  attempts: false,
  stats: false,
  typography: true,
  from: 0,
  to: Number.MAX_SAFE_INTEGER,
}

export interface BookVersion {
  /** '' where only one version is shown. */
  label: string
  isLive: boolean
  blocks: TextBlock[]
  /** Its roll and its stat changes, in words. */
  changes: string[]
}

export interface BookPassage {
  /** Its index in the story. */
  index: number
  isPlayers: boolean
  versions: BookVersion[]
}

/** The actions in the chosen range, with or without the player's own. */
export function* chosenActions(
  { actions }: { actions: PortableActions },
  { player_lines, from, to }: Pick<BookOptions, 'player_lines' | 'from' | 'to'>,
): Generator<{ index: number; action: PortableAction }> {
  for (const [index, action] of actions.entries()) {
    if (index > to) return
    if (index >= from && (player_lines || !isLine(action.type))) yield { index, action }
  }
}

/** The passages of a book, with the marks of its language. Empty ones are left out. */
export function* passagesOf(
  adventure: { actions: PortableActions; stat_schema?: StatSchema | null },
  options: BookOptions,
  language: ProseLanguage,
): Generator<BookPassage> {
  const rules = readRules(adventure.stat_schema ?? null)
  for (const { index, action } of chosenActions(adventure, options)) {
    const versions = versionsOf(action, options, { language, rules })
    if (versions.length > 0) yield { index, isPlayers: isLine(action.type), versions }
  }
}

function isLine(type: ActionType): boolean {
  return type === 'do' || type === 'say'
}

function versionsOf(
  action: PortableAction,
  { attempts, stats }: BookOptions,
  { language, rules }: { language: ProseLanguage; rules: Rules },
): BookVersion[] {
  const { variants, variant_index, world_delta } = action
  const all = attempts && variants.length > 1
  const shown = all
    ? variants.map(({ text, roll, world_state }, i) => ({
        label: `Version ${i + 1} of ${variants.length}`,
        isLive: i === variant_index,
        text,
        roll,
        delta: i === variant_index ? world_delta : (world_state?.report ?? null),
      }))
    : [
        {
          label: '',
          isLive: true,
          text: action.text,
          roll: variants[variant_index]?.roll,
          delta: world_delta,
        },
      ]
  return shown
    .map(({ text, roll, delta, ...version }) => ({
      ...version,
      blocks: blocksOf(
        typographic(withoutControlCharacters(shownText(action.type, text)), language.marks),
        language.language,
      ),
      changes: stats ? [...(roll ? [rollWithOutcome(roll)] : []), ...changesOf(rules, delta)] : [],
    }))
    .filter(({ blocks, changes }) => blocks.length > 0 || changes.length > 0)
}

/** A player's line without the "> " before it, which is for the model. */
export function shownText(type: ActionType, text: string): string {
  return isLine(type) ? withoutLineMark(text) : text
}

function changesOf(rules: Rules, delta: unknown): string[] {
  return verdictsOf(delta).map((verdict) => {
    const change = worldChange(verdict)
    const why = verdictWords(change)
    const words = changeWords(change, rules)
    return withSentence(why === '' ? words : `${words} (${why})`, change)
  })
}

/** The title of a book, which must have one. */
export function titleOf({ title }: { title: string }): string {
  const shown = withoutControlCharacters(title).replace(/\s+/g, ' ').trim()
  return isBlank(shown) ? 'Untitled' : shown
}

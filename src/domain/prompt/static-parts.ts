import type { Adventure } from '../adventure.ts'
import type { Settings } from '../settings.ts'
import { isBlank } from '../../lib/text.ts'
import { BLOCK_LABEL, guideOf, reportingRule } from '../world/prompt/guide.ts'
import type { Rules } from '../world/rules.ts'
import type { Label, Part } from './notes.ts'

/** What stands still in front of a story: the same bytes turn after turn, until its author changes a text. */
export function staticParts(settings: Settings, adventure: Adventure, rules: Rules | null): Part[] {
  return [
    ...system('narrator', settings.narrator_prompt),
    ...system('ai_instructions', adventure.ai_instructions),
    ...system('world_state_guide', rules ? guideOf(rules) : ''),
    ...system('world_state_rule', rules ? reportingRule(rules) : ''),
    ...system('plot_essentials', adventure.memory, 'What is true in this story:\n'),
    ...system('length_hint', lengthHint(settings.max_output_tokens, rules !== null)),
  ]
}

/** What was told before the window, in the words of the summary. */
export function summaryParts(summary: string): Part[] {
  return system('story_summary', summary, 'The story so far:\n')
}

function system(label: Label, text: string, heading = ''): Part[] {
  return isBlank(text) ? [] : [{ role: 'system', label, text: heading + text.trim() }]
}

// A ceiling in words: a model cannot count tokens, and a budget would be filled.
function lengthHint(maxOutputTokens: number, isCounted: boolean): string {
  const words = Math.floor((maxOutputTokens - 50) * 0.75 * 0.9)
  if (words < 40) return ''
  const block = isCounted ? ` Leave room for the ${BLOCK_LABEL} block, and always finish it.` : ''
  return `Never write more than ${words} words at a time. A usual passage is much shorter.${block}`
}

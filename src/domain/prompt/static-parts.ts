import { isBlank } from '../../lib/text.ts'
import type { Adventure } from '../adventure.ts'
import type { Settings } from '../settings.ts'
import { languageName } from '../text/language.ts'
import { guideOf } from '../world/prompt/guide.ts'
import type { Rules } from '../world/rules.ts'
import type { PartLabel, PromptPart } from './notes.ts'
import { EXAMPLES_HEADING, PLOT_HEADING, SUMMARY_HEADING } from './phrases.ts'

/** The front of a prompt: the same bytes every turn, until the player changes one of its texts. */
export function staticParts(
  settings: Settings,
  adventure: Pick<Adventure, 'ai_instructions' | 'memory' | 'example_dialogue' | 'language'>,
  rules: Rules | null,
): PromptPart[] {
  return [
    ...system('narrator', settings.narrator_prompt),
    ...system('ai_instructions', adventure.ai_instructions),
    ...system('world_state_guide', rules ? guideOf(rules) : ''),
    ...system('plot_essentials', adventure.memory, `${PLOT_HEADING}\n`),
    ...system('example_dialogue', dialogues(adventure.example_dialogue), `${EXAMPLES_HEADING}\n`),
    ...system('language', languageRule(adventure.language)),
    ...system('length_hint', lengthHint(settings.max_output_tokens)),
  ]
}

export function summaryParts(summary: string): PromptPart[] {
  return system('story_summary', summary, `${SUMMARY_HEADING}\n`)
}

/** '' for none. */
export function summaryIn(parts: readonly { label: string; text: string }[]): string {
  const part = parts.find(({ label }) => label === 'story_summary')
  return part?.text.slice(`${SUMMARY_HEADING}\n`.length) ?? ''
}

function system(label: PartLabel, text: string, heading = ''): PromptPart[] {
  return isBlank(text) ? [] : [{ role: 'system', label, text: heading + text.trim() }]
}

// Other programs begin each dialogue so.
function dialogues(text: string): string {
  return text
    .split(/<START>/i)
    .map((dialogue) => dialogue.trim())
    .filter((dialogue) => dialogue !== '')
    .join('\n\n')
}

/** `language` is a BCP 47 tag; '' says nothing, so that stories in English have the prompts that they always had. */
function languageRule(language: string): string {
  return language === '' ? '' : `Write the story in ${languageName(language)}.`
}

// A maximum in words: models cannot count tokens, and tend to use up a budget.
function lengthHint(maxOutputTokens: number): string {
  const words = Math.floor((maxOutputTokens - 50) * 0.75 * 0.9)
  if (words < 40) return ''
  return `Never write more than ${words} words at a time. A usual passage is much shorter.`
}

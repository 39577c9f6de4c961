import { basename } from 'node:path'
import { commandLine } from '../../../lib/project.ts'
import { counted } from '../../../lib/text.ts'
import type { Conversion } from './convert-story.ts'

/** What was converted, what was left out, and how to go back, for the player. `kept` is where the original is kept. */
export function conversionReceipt(
  { stories, branches, attempts, scripts }: Conversion,
  kept: string,
): string {
  const converted = [
    counted(stories, 'story', 'stories'),
    ...(branches > 0 ? [counted(branches, 'other branch of them', 'other branches of them')] : []),
    ...(attempts > 0 ? [counted(attempts, 'other attempt at a turn', 'other attempts at turns')] : []),
  ]
  const left =
    scripts > 0
      ? ` The state of scripts (in ${counted(scripts, 'story', 'stories')}) was left out: scripts never run here.`
      : ''
  return `This library of the earlier release was converted: ${converted.join(', ')}.${left} The original is kept next to it, unchanged, as ${basename(kept)}. To go back to the earlier release, stop Inglenook and restore the original: ${commandLine(`restore "${kept}"`)}`
}

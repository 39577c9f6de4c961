import { basename } from 'node:path'
import type { Conversion } from './convert-story.ts'

/** What was converted, what was left out, and how to go back, for the player. `kept` is where the original is kept. */
export function conversionReceipt(
  { stories, branches, attempts, scripts }: Conversion,
  path: string,
  kept: string,
): string {
  const converted = [
    counted(stories, 'story', 'stories'),
    ...(branches > 0 ? [`${counted(branches, 'other line', 'other lines')} as branches of them`] : []),
    ...(attempts > 0 ? [`${counted(attempts, 'other attempt', 'other attempts')} as versions`] : []),
  ]
  const left =
    scripts > 0
      ? ` The state of scripts (in ${counted(scripts, 'story', 'stories')}) was left out: scripts never run here.`
      : ''
  return `This library of the earlier release was converted: ${converted.join(', ')}.${left} The original is kept, unchanged, as ${basename(kept)} in the same folder. To go back to the earlier release, stop Inglenook, move ${basename(path)} away and give the original that name again.`
}

function counted(count: number, one: string, more: string): string {
  return `${count} ${count === 1 ? one : more}`
}

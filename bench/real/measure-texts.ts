import { sum } from './numbers.ts'
import type { Play } from './play.ts'
import { isLoop, notProseIn } from './shown-text.ts'

export interface TextMeasures {
  passages: number
  /** Of all characters, while the reply streams and as it is stored. */
  notProseStreamed: number
  notProseStored: number
  /** Passages with text that is not prose, by what it is. */
  kinds: Record<string, number>
  /** Passages with more than 30 % repeated four-word sequences. */
  loops: number
}

export function textMeasures(plays: readonly Play[]): TextMeasures {
  const told = plays.filter(({ shown }) => shown !== '')
  const kinds: Record<string, number> = {}
  for (const { streamed, shown } of told)
    for (const what of new Set(notProseIn(`${streamed}\n${shown}`).map((one) => one.what)))
      kinds[what] = (kinds[what] ?? 0) + 1
  return {
    passages: told.length,
    notProseStreamed: shareNotProse(told.map(({ streamed }) => streamed)),
    notProseStored: shareNotProse(told.map(({ shown }) => shown)),
    kinds,
    loops: told.filter(({ shown }) => isLoop(shown)).length,
  }
}

function shareNotProse(texts: readonly string[]): number {
  const wrong = texts.flatMap(notProseIn).map(({ line }) => line.length)
  const all = texts.map(({ length }) => length)
  return sum(wrong) / Math.max(1, sum(all))
}

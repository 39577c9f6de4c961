import type { ActionView } from '../../domain/action.ts'
import { isLongAgo } from '../ui/time-ago.ts'

/** Passages whose beginnings tell what had happened, where there is no summary. */
const TOLD = 4

/**
 * What had happened in a story that its reader left a day ago or earlier: its summary, else how its latest narrations
 * began. Null for a story that was just played, or has hardly begun.
 */
export function previouslyIn(
  summary: string,
  actions: readonly Pick<ActionView, 'type' | 'text' | 'created_at'>[],
  now: Date,
): string | null {
  const newest = actions.at(-1)
  if (newest === undefined || !isLongAgo(newest.created_at, now)) return null
  if (summary.trim() !== '') return summary.trim()
  const told = actions.filter(({ type }) => type === 'ai').slice(-TOLD)
  return told.length === 0 ? null : told.map(({ text }) => firstSentence(text)).join(' ')
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })
const LONGEST = 240

function firstSentence(text: string): string {
  const [first] = sentences.segment(text.trim().slice(0, LONGEST))
  return first?.segment.trim() ?? ''
}

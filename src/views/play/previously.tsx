import type { ActionView } from '../../domain/action.ts'
import { plainProse } from '../../domain/text/prose-markup.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { languageAttributes } from '../prose/prose.tsx'
import { isLongAgo, TimeAgo } from '../ui/time.tsx'

/** Passages whose first sentences make the recap, if there is no summary: those before the newest, which stands above it. */
const PASSAGES = 4

/**
 * The recap of a story last played a day ago or earlier: its summary, or the first sentences of the narrations before its
 * newest; `language` (a BCP 47 tag) says where they end. Null for a story that was played since, or has no more than one.
 */
export function previouslyIn(
  summary: string,
  actions: readonly Pick<ActionView, 'type' | 'text' | 'created_at'>[],
  now: Date,
  language: string,
): string | null {
  const newest = actions.at(-1)
  if (newest === undefined || !isLongAgo(newest.created_at, now)) return null
  if (summary.trim() !== '') return summary.trim()
  const narrations = actions.filter(({ type }) => type === 'ai').slice(-PASSAGES - 1, -1)
  return narrations.length === 0
    ? null
    : narrations.map(({ text }) => firstSentence(text, language)).join(' ')
}

const LONGEST = 240

function firstSentence(text: string, language: string): string {
  const sentences = new Intl.Segmenter(language, { granularity: 'sentence' })
  const [first] = sentences.segment(plainProse(text.trim().slice(0, LONGEST), language))
  return first?.segment.trim() ?? ''
}

interface PreviouslyProps {
  text: string
  /** An ISO time. */
  played: string
  now: Date
  /** A BCP 47 tag. */
  language: string
}

export function Previously({ text, played, now, language }: PreviouslyProps): Markup {
  return (
    <details class="previously" open>
      <summary>
        Previously (last played <TimeAgo at={played} now={now} />)
      </summary>
      <p {...languageAttributes(language)}>{text}</p>
    </details>
  )
}

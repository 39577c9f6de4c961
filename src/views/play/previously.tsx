import type { Markup } from '../jsx/jsx-runtime.ts'
import { languageAttributes } from '../prose/prose.tsx'
import { TimeAgo } from '../ui/time.tsx'

/** A recap for a reader who comes back after a while. */
export function Previously({
  text,
  played,
  now,
  language,
}: {
  text: string
  /** When the story was last played, as an ISO time. */
  played: string
  now: Date
  /** The language of the story, as a BCP 47 tag. */
  language: string
}): Markup {
  return (
    <details class="previously" open>
      <summary>
        Previously (last played <TimeAgo at={played} now={now} />)
      </summary>
      <p {...languageAttributes(language)}>{text}</p>
    </details>
  )
}

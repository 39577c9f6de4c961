import type { Markup } from '../jsx/jsx-runtime.ts'
import { languageAttributes } from '../prose/prose.tsx'

/** A recap for a reader who comes back after a while. */
export function Previously({
  text,
  ago,
  language,
}: {
  text: string
  ago: string
  /** The language of the story, as a BCP 47 tag. */
  language: string
}): Markup {
  return (
    <details class="previously" open>
      <summary>{`Previously (last played ${ago})`}</summary>
      <p {...languageAttributes(language)}>{text}</p>
    </details>
  )
}

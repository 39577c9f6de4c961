import type { Markup } from '../jsx/jsx-runtime.ts'

/** A recap for a reader who comes back after a while. */
export function Previously({ text, ago }: { text: string; ago: string }): Markup {
  return (
    <details class="previously" open>
      <summary>{`Previously (last played ${ago})`}</summary>
      <p dir="auto">{text}</p>
    </details>
  )
}

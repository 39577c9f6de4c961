import type { Markup } from '../jsx/jsx-runtime.ts'

/** What had happened, for a reader who comes back after a while. */
export function Previously({ text, ago }: { text: string; ago: string }): Markup {
  return (
    <details class="previously" open>
      <summary>{`Previously, ${ago}…`}</summary>
      <p>{text}</p>
    </details>
  )
}

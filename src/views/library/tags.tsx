import type { Markup } from '../jsx/jsx-runtime.ts'

/** Tags in a row. */
export function Tags({ tags }: { tags: readonly string[] }): Markup | null {
  if (tags.length === 0) return null
  return (
    <p class="tags">
      {tags.map((tag) => (
        <span>{tag}</span>
      ))}
    </p>
  )
}

import type { Markup } from '../jsx/jsx-runtime.ts'

export function Tags({ tags }: { tags: readonly string[] }): Markup | null {
  if (tags.length === 0) return null
  return (
    <ul class="tags" aria-label="Tags">
      {tags.map((tag) => (
        <li>{tag}</li>
      ))}
    </ul>
  )
}

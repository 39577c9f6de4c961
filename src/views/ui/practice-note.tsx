import type { Markup } from '../jsx/jsx-runtime.ts'

/** Says on every page that plays with the practice narrator what it is. */
export function PracticeNote(): Markup {
  return (
    <p class="practice">
      The <strong>practice narrator</strong> tells your stories for now. It follows simple rules and is not a
      language model. <a href="/settings">Connect a model</a> when you are ready.
    </p>
  )
}

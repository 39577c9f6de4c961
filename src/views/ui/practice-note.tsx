import type { Markup } from '../jsx/jsx-runtime.ts'

/** Explains the practice narrator on every page that uses it. */
export function PracticeNote(): Markup {
  return (
    <p class="practice">
      You are playing with the <strong>practice narrator</strong>, which follows simple rules and is not a
      language model. <a href="/settings">Connect a model</a> when you are ready.
    </p>
  )
}

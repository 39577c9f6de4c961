import type { Markup } from '../jsx/jsx-runtime.ts'

export function PracticeNote(): Markup {
  return (
    <p class="practice">
      The <strong>practice narrator</strong> follows simple rules and is not a language model.{' '}
      <a href="/settings">Connect a model</a>
    </p>
  )
}

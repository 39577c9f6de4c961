import type { Child, Markup } from '../jsx/jsx-runtime.ts'

/** Wraps a table that may be wider than the window; it scrolls on its own, also by keyboard. */
export function ScrollTable({ of, children }: { of: string; children?: Child }): Markup {
  return (
    // biome-ignore lint/a11y/useSemanticElements: it groups no fields
    <div class="wide" role="group" aria-label={of} tabindex="0">
      {children}
    </div>
  )
}

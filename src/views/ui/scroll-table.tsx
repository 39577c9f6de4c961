import type { Child, Markup } from '../jsx/jsx-runtime.ts'

/** Scrolls on its own if it is wider than the window, also by keyboard. */
export function ScrollTable({ of, children }: { of: string; children?: Child }): Markup {
  return (
    // biome-ignore lint/a11y/useSemanticElements: it groups no fields
    <div class="wide" role="group" aria-label={of} tabindex="0">
      {children}
    </div>
  )
}

import type { Child } from '../jsx/jsx-runtime.ts'

/** A region of the page and what comes into it. */
export function fragment(target: string, swap: string, content: Child): string {
  return (
    <hx-partial hx-target={target} hx-swap={swap}>
      {content}
    </hx-partial>
  ).html
}

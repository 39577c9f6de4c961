import type { Child, Markup } from '../jsx/jsx-runtime.ts'

interface FragmentProps {
  target: string
  swap: string
  children?: Child
}

/** A region of the page and what comes into it. */
export function Fragment({ target, swap, children }: FragmentProps): Markup {
  return (
    <hx-partial hx-target={target} hx-swap={swap}>
      {children}
    </hx-partial>
  )
}

/** The same, as a part of a response. */
export function fragment(target: string, swap: string, content: Child): string {
  return (
    <Fragment target={target} swap={swap}>
      {content}
    </Fragment>
  ).html
}

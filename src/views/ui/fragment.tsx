import type { Child, Markup } from '../jsx/jsx-runtime.ts'

interface FragmentProps {
  target: string
  swap: string
  children?: Child
}

export function Fragment({ target, swap, children }: FragmentProps): Markup {
  return (
    <hx-partial hx-target={target} hx-swap={swap}>
      {children}
    </hx-partial>
  )
}

export function fragment(target: string, swap: string, content: Child): string {
  return (
    <Fragment target={target} swap={swap}>
      {content}
    </Fragment>
  ).html
}

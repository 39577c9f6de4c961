import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { Icon } from './icon.tsx'

/** The way from a page to the one it belongs to, above its heading. */
export function WayBack({ href, children }: { href: string; children?: Child }): Markup {
  return (
    <p class="back">
      <a href={href}>
        <Icon sign="back" /> {children}
      </a>
    </p>
  )
}

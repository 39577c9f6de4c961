import { asset } from '../../http/assets.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'

/** A link with a version replaces the page's link. */
export function ReaderStylesheet({ version }: { version?: string }): Markup {
  const href = version === undefined ? asset('reader.css') : `${asset('reader.css')}?v=${version}`
  const swap = version === undefined ? {} : { 'hx-swap-oob': 'outerHTML' }
  return <link id="reader-sheet" rel="stylesheet" href={href} {...swap} />
}

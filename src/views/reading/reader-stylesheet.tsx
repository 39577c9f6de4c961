import { asset } from '../../http/assets.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'

/** The link to the reader's own stylesheet. With a version it is put in place of the one that a page has. */
export function ReaderSheet({ version }: { version?: string }): Markup {
  const href = version === undefined ? asset('reader.css') : `${asset('reader.css')}?v=${version}`
  const swap = version === undefined ? {} : { 'hx-swap-oob': 'outerHTML' }
  return <link id="reader-sheet" rel="stylesheet" href={href} {...swap} />
}

import type { ImportPreview } from '../../domain/portable/import-preview.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { countOf } from './choices.tsx'

/** Names of files that are shown for one reason. */
const MAX_NAMES = 20

/** Which of several files cannot be imported, and why. */
export function RejectedFiles({ files }: { files: ImportPreview['rejected_files'] }): Markup | null {
  const count = files.reduce((sum, { names }) => sum + names.length, 0)
  if (count === 0) return null
  return (
    <>
      <p>{countOf(count, 'file')} cannot be imported:</p>
      <ul>
        {files.map(({ reason, names }) => (
          <li>
            <b dir="auto">{names.slice(0, MAX_NAMES).join(', ')}</b>
            {names.length > MAX_NAMES ? ` and ${countOf(names.length - MAX_NAMES, 'other')}` : null}: {reason}
          </li>
        ))}
      </ul>
    </>
  )
}

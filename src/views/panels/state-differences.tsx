import { pathWords } from '../../domain/world/change-words.ts'
import type { Difference } from '../../domain/world/state-diff.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { ScrollTable } from '../ui/scroll-table.tsx'

interface StateDifferencesProps {
  differences: readonly Difference[]
  one: string
  other: string
}

export function StateDifferences({ differences, one, other }: StateDifferencesProps): Markup | null {
  if (differences.length === 0) return null
  return (
    <>
      <h3>Stats</h3>
      <ScrollTable of="Stats">
        <table>
          <thead>
            <tr>
              <th scope="col">Stat</th>
              <th scope="col">{one}</th>
              <th scope="col">{other}</th>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ path, one: before, other: after }) => (
              <tr>
                <th scope="row">{pathWords(path)}</th>
                <td>{valueWords(before)}</td>
                <td>{valueWords(after)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollTable>
    </>
  )
}

function valueWords(value: unknown): string {
  if (value === undefined) return '—'
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)
}

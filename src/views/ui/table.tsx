import type { Child, Markup } from '../jsx/jsx-runtime.ts'

interface TableProps {
  heads: readonly string[]
  rows: readonly (readonly Child[])[]
  look?: string
}

/** `look` is an optional CSS class. */
export function Table({ heads, rows, look }: TableProps): Markup {
  return (
    <table class={look}>
      <thead>
        <tr>
          {heads.map((head) => (
            <th scope="col">{head}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells) => (
          <tr>
            {cells.map((cell) => (
              <td>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

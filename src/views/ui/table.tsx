import type { Child, Markup } from '../jsx/jsx-runtime.ts'

/** Rows under the names of their columns. `look` is the class of a table with a look of its own. */
export function Table({
  heads,
  rows,
  look,
}: {
  heads: readonly string[]
  rows: readonly (readonly Child[])[]
  look?: string
}): Markup {
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

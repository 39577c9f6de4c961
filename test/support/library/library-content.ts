import { Database } from 'bun:sqlite'

/** A hash of every row of every table of a library file, to check that nothing was changed. */
export function contentOf(path: string): string {
  using db = new Database(path, { readonly: true })
  const tables = db
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
  const hash = new Bun.CryptoHasher('sha256')
  for (const { name } of tables) {
    hash.update(`\n${name}\n`)
    const rows = db.query<unknown[], []>(`SELECT * FROM "${name}"`).values()
    // The order of rows in a table is not guaranteed.
    for (const row of rows.map(written).sort()) hash.update(row)
  }
  return hash.digest('hex')
}

function written(row: unknown[]): string {
  return `${JSON.stringify(row.map((value) => (value instanceof Uint8Array ? value.toHex() : value)))}\n`
}

import { Database } from 'bun:sqlite'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Creates a library at `to`, with its journals, as a program leaves it that is killed while writing: `written` was committed in
 * the given journal mode, and another transaction was begun but not committed.
 */
export function leaveKilled(from: string, to: string, mode: 'DELETE' | 'WAL', written: string): void {
  using db = new Database(from)
  db.run(`PRAGMA journal_mode = ${mode}`)
  if (mode === 'WAL') db.run('PRAGMA wal_autocheckpoint = 0')
  db.run(written)
  // A cache of one page, so that the uncommitted changes are already in the file.
  db.run('PRAGMA cache_size = 1')
  db.run('BEGIN')
  db.run("UPDATE actions SET text = 'Half of what was never told.' || hex(zeroblob(4000))")
  db.run("UPDATE scenarios SET title = 'Half done'")
  mkdirSync(dirname(to), { recursive: true })
  for (const suffix of ['', '-journal', '-wal'])
    if (existsSync(from + suffix)) copyFileSync(from + suffix, to + suffix)
  db.run('ROLLBACK')
}

/** Whether the file itself contains uncommitted changes. */
export function isTorn(path: string): boolean {
  return readFileSync(path).includes('Half of what was never told')
}

/** Every file of a folder with its bytes and modification time, except the lock file. */
export async function filesIn(folder: string): Promise<Record<string, unknown>> {
  const files: Record<string, unknown> = {}
  for await (const name of new Bun.Glob('**').scan({ cwd: folder, dot: true })) {
    if (name.endsWith('.lock')) continue
    const file = Bun.file(join(folder, name))
    files[name] = [Bun.hash(await file.arrayBuffer()), file.lastModified]
  }
  return files
}

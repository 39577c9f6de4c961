import { Database } from 'bun:sqlite'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Leaves a library as a program does that is killed in the middle of its work: `written` is committed, in the journal mode
 * that is named, and then something is begun and never ended. The file lies at `to`, with what lies beside it.
 */
export function leaveKilled(from: string, to: string, mode: 'DELETE' | 'WAL', written: string): void {
  using db = new Database(from)
  db.run(`PRAGMA journal_mode = ${mode}`)
  if (mode === 'WAL') db.run('PRAGMA wal_autocheckpoint = 0')
  db.run(written)
  // A page at a time, so that what is never ended stands in the file already.
  db.run('PRAGMA cache_size = 1')
  db.run('BEGIN')
  db.run("UPDATE actions SET text = 'Half of what was never told.' || hex(zeroblob(4000))")
  db.run("UPDATE scenarios SET title = 'Half done'")
  mkdirSync(dirname(to), { recursive: true })
  for (const suffix of ['', '-journal', '-wal'])
    if (existsSync(from + suffix)) copyFileSync(from + suffix, to + suffix)
  db.run('ROLLBACK')
}

/** Whether the file itself has something that was never ended. */
export function isTorn(path: string): boolean {
  return readFileSync(path).includes('Half of what was never told')
}

/** Every file of a folder with its bytes and the moment at which it was written, but for the lock. */
export async function filesIn(folder: string): Promise<Record<string, unknown>> {
  const files: Record<string, unknown> = {}
  for await (const name of new Bun.Glob('**').scan({ cwd: folder, dot: true })) {
    if (name.endsWith('.lock')) continue
    const file = Bun.file(join(folder, name))
    files[name] = [Bun.hash(await file.arrayBuffer()), file.lastModified]
  }
  return files
}

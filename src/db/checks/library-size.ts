import { existsSync, statSync } from 'node:fs'
import { sumOf } from '../../lib/numbers.ts'
import { listCopies } from '../library/copies/list.ts'
import { JOURNAL_SUFFIXES } from '../library/file-state.ts'
import { openSnapshot } from '../library/open-snapshot.ts'

/** Bytes on the disk. */
export interface LibrarySize {
  /** The file and its journals. */
  file: number
  backups: number
  /** Parts of the file; null where its SQLite cannot tell. */
  parts: { searchIndex: number; prompts: number; unused: number } | null
}

/** Reads the whole library, which is slow for a large one: call it in a worker. */
export function librarySize(path: string): LibrarySize {
  const sizes = JOURNAL_SUFFIXES.map(
    (suffix) => statSync(path + suffix, { throwIfNoEntry: false })?.size ?? 0,
  )
  return {
    file: sumOf(sizes),
    backups: sumOf(listCopies(path).map(({ bytes }) => bytes)),
    parts: existsSync(path) ? partsOf(path) : null,
  }
}

function partsOf(path: string): LibrarySize['parts'] {
  try {
    using snapshot = openSnapshot(path)
    const sum = (sql: string) => snapshot.reader.value<number>(sql) ?? 0
    return {
      searchIndex: sum("SELECT sum(pgsize) AS bytes FROM dbstat WHERE name GLOB 'search*'"),
      prompts:
        sum("SELECT sum(pgsize) AS bytes FROM dbstat WHERE name GLOB '*prompt_parts*'") +
        sum('SELECT sum(octet_length(context_snapshot)) AS bytes FROM actions'),
      unused: sum('SELECT freelist_count * page_size AS bytes FROM pragma_freelist_count, pragma_page_size'),
    }
  } catch {
    // Not every build of SQLite has dbstat, and not every file at the path is the library.
    return null
  }
}

import { readdirSync, statSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import type { ImportOutcome } from '../app/files/import-choice.ts'
import { planUpload } from '../app/files/plan-upload.ts'
import { writeImport } from '../app/files/write-import.ts'
import type { StoredUpload } from '../app/runtime/uploads.ts'
import { risingClock } from '../clock.ts'
import { readConfig } from '../config.ts'
import { openLibrary } from '../db/library/open.ts'
import { refusingWithReason } from '../db/library-refused.ts'
import { deleteStored, readStored, storeFile } from '../db/stored-file.ts'
import { MAX_IMPORT_BYTES } from '../domain/limits.ts'
import { sectionsOf } from '../domain/portable/receipt.ts'
import { isGzip } from '../lib/bytes.ts'
import { printLine, printProblem } from '../lib/print.ts'
import { callerPath, commandLine } from '../lib/project.ts'
import { STARTERS } from '../practice/starters/starters.ts'

/** Imports files and folders. Throws LibraryRefused while a service has the library open. */
export async function importFiles(given: readonly string[]): Promise<void> {
  const paths = given.filter((one) => !one.startsWith('--'))
  if (paths.length === 0)
    throw new Error(`Name the files or folders to import: ${commandLine('import cards/ chat.jsonl')}`)
  const found = paths.flatMap((path) => filesAt(callerPath(path)))
  if (found.length === 0) throw new Error('There are no files to import.')
  const { dbPath } = readConfig(process.env)
  const library = refusingWithReason('Nothing was imported.', () =>
    openLibrary(dbPath, { starters: STARTERS }),
  )
  if (library.conversion) printLine(library.conversion)
  const [files, copies] = await withCopies(found, dbPath)
  try {
    const upload = { name: '', files }
    const choice = { duplicates: given.includes('--duplicates') ? 'import' : 'skip' } as const
    const host = { mayWrite: async () => {}, report: () => {} }
    const plan = await planUpload(library, upload)
    copies.push({ name: '', ...plan.plans })
    print(await writeImport(library, plan, choice, { at: risingClock()(), host }))
  } finally {
    for (const copy of copies) await deleteStored(copy)
    library.close()
  }
}

/** Files at a path, read in place. Links in folders are not followed. */
function filesAt(path: string): StoredUpload[] {
  const facts = statSync(path, { throwIfNoEntry: false })
  if (!facts) throw new Error(`There is nothing at ${path}.`)
  if (facts.isFile()) return [{ name: basename(path), path, from: 0, to: facts.size }]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
    .map((file) => ({ name: relative(path, file), path: file, from: 0, to: statSync(file).size }))
}

/** Copies large compressed files next to the library: they are unpacked beside the file. */
async function withCopies(files: StoredUpload[], dbPath: string): Promise<[StoredUpload[], StoredUpload[]]> {
  const copies: StoredUpload[] = []
  const all: StoredUpload[] = []
  for (const file of files) {
    const isUnpacked = file.to > MAX_IMPORT_BYTES && isGzip(readStored(file, 0, 2))
    const chunks = Bun.file(file.path).stream() as unknown as AsyncIterable<Uint8Array>
    const copy = isUnpacked ? { name: file.name, ...(await storeFile(dbPath, chunks)) } : null
    if (copy) copies.push(copy)
    all.push(copy ?? file)
  }
  return [all, copies]
}

function print({ preview, imported }: ImportOutcome): void {
  const { scenario_ids, adventure_ids } = imported
  const items = [...preview.scenarios, ...preview.adventures]
  const known = items.length - scenario_ids.length - adventure_ids.length
  printLine(`Scenarios imported: ${scenario_ids.length}. Stories imported: ${adventure_ids.length}.`)
  if (known > 0) printLine(`Left out because they are in the library already: ${known}.`)
  for (const { section, title, lines } of sectionsOf(preview.receipt))
    if (section !== 'came')
      printLine([`${title}:`, ...lines.map(({ words, keys }) => `  ${words}: ${keys}`)].join('\n'))
  for (const { reason, names } of preview.rejected_files) printProblem(`${names.join(', ')}: ${reason}`)
}

import { auditAdventure } from './app/audit.ts'
import { readConfig } from './config.ts'
import { listAdventures } from './db/adventures.ts'
import { inspectLibrary } from './db/inspect.ts'

/** Looks a whole library over and changes nothing. Prints ids, paths and numbers, and not a word of any story. */
async function examine(path: string): Promise<boolean> {
  using library = inspectLibrary(path)
  const { reader, journal, isWhole, remarks } = library
  console.log(`Library: ${path}, journal ${journal}, ${isWhole ? 'whole' : 'DAMAGED'}`)
  if (journal !== 'wal')
    console.log('The file does not keep a write-ahead journal: turns are stored more slowly.')
  for (const { where, rows, what } of remarks) console.log(`${where}: ${rows} rows ${what}`)
  let isClean = isWhole
  for (const { id, action_count } of listAdventures(reader)) {
    const audit = await auditAdventure(reader, id)
    if (audit === null) {
      console.log(`Adventure ${id}: ${action_count} actions, nothing counted.`)
      continue
    }
    const { turns, attempts, judged_again, findings, breaks, ok } = audit
    isClean &&= ok
    console.log(
      `Adventure ${id}: ${turns} turns, ${attempts} attempts, ${judged_again} judged again, ${breaks.length} breaks, ${findings.length} findings.`,
    )
    for (const { index, path: at, what } of findings) console.log(`  action ${index} ${at}: ${what}`)
  }
  console.log(isClean ? 'Everything adds up.' : 'Something does not add up; see above. Nothing was changed.')
  return isClean
}

try {
  process.exitCode = (await examine(readConfig(process.env).dbPath)) ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

import { constants, copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allMigrations } from '../src/db/library/migrate.ts'
import { openLibrary } from '../src/db/library/open.ts'
import { hashOf } from '../src/lib/hash.ts'
import { PROGRAM_FOLDER } from '../src/lib/project.ts'
import { start } from '../src/start.ts'
import { loopback } from '../test/support/service/loopback.ts'
import { proseFrom } from './prose.ts'

/** The stories of the library that is measured, by their number of actions. Their ids are 1, 2 and so on. */
export const STORIES = [100, 1_000, 10_000, 10_000]
/** Raise it when the library gets another content. */
const VERSION = 1

/** A library of four stories as files bring them, indexed and closed properly, in a folder of its own. It is made once. */
export async function benchLibrary(): Promise<{ folder: string; dbPath: string }> {
  const cache = join(PROGRAM_FOLDER, '.runtime/bench')
  const made = join(cache, `library-${hashOf(`${VERSION} ${allMigrations()}`)}.db`)
  const folder = mkdtempSync(join(tmpdir(), 'inglenook-bench-'))
  const dbPath = join(folder, 'library.db')
  if (!existsSync(made)) {
    mkdirSync(cache, { recursive: true })
    await makeLibrary(`${made}.new`)
    renameSync(`${made}.new`, made)
  }
  copyFileSync(made, dbPath, constants.COPYFILE_FICLONE)
  // A start after this one notes how the copy was left.
  openLibrary(dbPath).close()
  return { folder, dbPath }
}

async function makeLibrary(path: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm', '.lock']) rmSync(path + suffix, { force: true })
  const service = await start(loopback(path))
  for (const [index, actions] of STORIES.entries()) {
    const body = JSON.stringify(storyFile(actions, index))
    const imported = await fetch(new URL('/api/import?apply=1', service.address), { method: 'POST', body })
    if (!imported.ok) throw new Error(await imported.text())
    await imported.text()
  }
  while (service.deps.indexing.progress !== null) await Bun.sleep(50)
  await service.stop()
}

/** A story in the earlier release's format: lines of the player and passages, 880 characters in the mean. */
function storyFile(actions: number, seed: number): object {
  const prose = proseFrom(seed)
  return {
    format: 'ai-dnd-adventure-v1',
    title: `Story of ${actions} actions`,
    actions: Array.from({ length: actions }, (_, index) => ({
      index,
      type: index === 0 ? 'start' : index % 2 ? 'do' : 'ai',
      text: index % 2 ? `> You ${prose(30)}` : prose(1_650),
    })),
  }
}

import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { linkSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exclusively } from '../../../src/db/connections.ts'
import { inspectLibrary } from '../../../src/db/library/inspect.ts'
import { restoreLibrary } from '../../../src/db/library/restore.ts'
import { openLibrary } from '../../support/library/open.ts'
import { outputOf, refusalOf, spawnProgram, spawnService } from '../../support/service/process.ts'
import { Service } from '../../support/service/service.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const NOW = new Date('2026-03-01T10:00:00Z')

/** A closed library, and a name for it in another folder. */
function place(): { path: string; other: string } {
  const path = join(temporaryFolder(), 'library.db')
  openLibrary(path).close()
  return { path, other: join(temporaryFolder(), 'other.db') }
}

describe('a library under two names', () => {
  test('is not opened by a second service, and the first one keeps what it acknowledged', async () => {
    const { path, other } = place()
    const first = await Service.start({ APP_DB_PATH: path })
    linkSync(path, other)
    const { code, said } = await refusalOf(spawnService({ APP_DB_PATH: other }))
    expect([code, said]).toEqual([1, expect.stringContaining('has 2 names (hard links)')])
    await first.json('POST', '/api/scenarios', { title: 'Acknowledged' })
    await first.end()
    expect((await refusalOf(spawnService({ APP_DB_PATH: path }))).said).toContain('hard links')
    rmSync(other)
    const again = await Service.start({ APP_DB_PATH: path })
    expect((await again.json('GET', '/api/scenarios'))[0].title).toBe('Acknowledged')
  })

  test('is neither backed up, checked nor restored', async () => {
    const { path, other } = place()
    linkSync(path, other)
    const backup = await refusalOf(spawnProgram('backup', { APP_DB_PATH: other }))
    expect(backup).toMatchObject({ code: 1, said: expect.stringContaining('hard links') })
    expect(() => inspectLibrary(other)).toThrow('hard links')
    const { path: copy } = place()
    expect(() => restoreLibrary(other, copy, NOW)).toThrow('hard links')
  })

  test('can be restored from: a backup is only read', () => {
    const { path, other } = place()
    linkSync(path, other)
    restoreLibrary(place().path, other, NOW)
  })

  // A user namespace, so that nothing has to be mounted for the whole machine.
  const mounting = ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c']
  const canMount = Bun.spawnSync([...mounting, 'mount --bind /tmp /mnt']).success
  test.skipIf(!canMount)(
    'is refused where its file is a mount point, and opened where its folder is',
    async () => {
      const { path } = place()
      const [file, folder] = [join(temporaryFolder(), 'a library.db'), temporaryFolder()]
      writeFileSync(file, '')
      const under = (from: string, to: string) => [
        ...mounting,
        `mount --bind "$0" "$1"; shift; exec "$@"`,
        from,
        to,
      ]
      const refused = spawnService({ APP_DB_PATH: file }, { before: under(path, file) })
      expect((await refusalOf(refused)).said).toContain('The file itself is mounted')
      const service = await Service.start(
        { APP_DB_PATH: join(folder, 'library.db') },
        ...under(join(path, '..'), folder),
      )
      expect((await service.ask('GET', '/')).status).toBe(200)
      // An executable says how to stop it.
      expect(await outputOf(service.child)).toMatch(/^(To stop it, .*\n)?$/)
    },
  )
})

test('the exclusive use of a file notices an idle connection in WAL mode, and ends', () => {
  const { path } = place()
  const write = () => void db.transaction(() => db.run('DELETE FROM scenarios')).exclusive()
  using db = new Database(path)
  db.run('PRAGMA journal_mode = WAL')
  using other = new Database(path)
  other.query('SELECT count(*) FROM scenarios').get()
  expect(() => exclusively(db, write)).toThrow('locked')
  other.close()
  exclusively(db, write)
  using later = new Database(path)
  later.run("INSERT INTO preferences VALUES ('a', '1')")
  expect(later.query('SELECT count(*) AS n FROM scenarios').get()).toEqual({ n: 0 })
})

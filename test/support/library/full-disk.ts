import type { Reader } from '../../../src/db/database.ts'

/** A disk that can be filled up under a running service, and emptied again. */
export interface Disk {
  fill(): void
  makeRoom(): void
}

/** Every write of a process fails that would make a file longer, or that would write at all: a full disk, or a quota. */
export function diskOf(pid: number): Disk {
  const limit = (bytes: string) => {
    const { success, stderr } = Bun.spawnSync(['prlimit', `--pid=${pid}`, `--fsize=${bytes}`])
    if (!success) throw new Error(stderr.toString())
  }
  return { fill: () => limit('0:'), makeRoom: () => limit('unlimited:') }
}

/** The same as SQLite itself tells of it: the file cannot become longer. */
export function diskUnder(reader: Reader): Disk {
  return {
    fill: () => {
      // Pages that were freed would be room.
      reader.get('VACUUM')
      reader.get('PRAGMA max_page_count = 1')
    },
    makeRoom: () => void reader.get('PRAGMA max_page_count = 1073741823'),
  }
}

/** A command before a program: its files may not be longer than so many blocks of 512 bytes. */
export function shortOf(blocks: number): string[] {
  return ['sh', '-c', `ulimit -f ${blocks}; exec "$@"`, 'sh']
}

/** A command before a program: permissions hold for it, also where the tests are run by root. */
export function withoutPowers(): string[] {
  return process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all', '--'] : []
}

import type { Reader } from '../../../src/db/database.ts'

/** A disk that can be filled up while a service is running, and emptied again. */
export interface Disk {
  fill(): void
  makeRoom(): void
}

/** Makes all writes of a process fail that extend a file, or all writes: a full disk or a quota. */
export function diskOf(pid: number): Disk {
  const limit = (bytes: string) => {
    const { success, stderr } = Bun.spawnSync(['prlimit', `--pid=${pid}`, `--fsize=${bytes}`])
    if (!success) throw new Error(stderr.toString())
  }
  return { fill: () => limit('0:'), makeRoom: () => limit('unlimited:') }
}

/** The same at the level of SQLite: the file cannot grow. */
export function diskUnder(reader: Reader): Disk {
  return {
    fill: () => {
      // Freed pages could be reused.
      reader.get('VACUUM')
      reader.get('PRAGMA max_page_count = 1')
    },
    makeRoom: () => void reader.get('PRAGMA max_page_count = 1073741823'),
  }
}

/** A command prefix that limits the files of a program to a number of blocks of 512 bytes. */
export function shortOf(blocks: number): string[] {
  return ['sh', '-c', `ulimit -f ${blocks}; exec "$@"`, 'sh']
}

/** A command prefix that makes file permissions apply even if the tests run as root. */
export function withoutPowers(): string[] {
  return process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all', '--'] : []
}

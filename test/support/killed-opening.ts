import { Database } from 'bun:sqlite'
import { openLibrary } from '../../src/db/open.ts'

/**
 * A program of its own: opens the library of the first argument and is killed as soon as a statement is to be run that has
 * the text of the third, in the file whose name ends in the second.
 */
const [, , path = '', file = '', statement = ''] = process.argv

for (const name of ['run', 'query'] as const) {
  const own = Database.prototype[name] as (...given: unknown[]) => unknown
  Object.assign(Database.prototype, {
    [name](this: Database, ...given: unknown[]) {
      if (this.filename.endsWith(file) && String(given[0]).includes(statement))
        process.kill(process.pid, 'SIGKILL')
      return own.apply(this, given)
    },
  })
}

openLibrary(path).close()

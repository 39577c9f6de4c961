import { Database } from 'bun:sqlite'
import { openLibrary } from '../library/open.ts'

/**
 * A separate program: opens the library of the first argument, and is killed before it runs a statement that contains the
 * third argument, in a file whose name ends with the second.
 */
const [, , path = '', file = '', statement = ''] = process.argv

for (const name of ['run', 'query'] as const) {
  const original = Database.prototype[name] as (...args: unknown[]) => unknown
  Object.assign(Database.prototype, {
    [name](this: Database, ...args: unknown[]) {
      if (this.filename.endsWith(file) && String(args[0]).includes(statement))
        process.kill(process.pid, 'SIGKILL')
      return original.apply(this, args)
    },
  })
}

openLibrary(path).close()

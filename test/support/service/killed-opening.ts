import { Database } from 'bun:sqlite'
import { openLibrary } from '../library/open.ts'

/**
 * A separate program: opens the library of the first argument, and is killed before it runs a statement that contains the
 * third argument, in a file whose name ends with the second; or at the end of the trial, before it looks at the outcome.
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

if (file === 'the trial') {
  const spawn = Bun.spawnSync
  const killed = (options: never) => {
    spawn(options)
    process.kill(process.pid, 'SIGKILL')
  }
  Object.assign(Bun, { spawnSync: killed })
}

openLibrary(path).close()

// Breaks the rules of a story one by one and checks whether the tests notice.
import { join } from 'node:path'
import { become, prepare, root } from './bun.mjs'

process.exitCode = await become(prepare({ development: true }), [
  join(root, 'test/mutations/run.ts'),
  ...process.argv.slice(2),
])

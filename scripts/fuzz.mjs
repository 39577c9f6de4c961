import { join } from 'node:path'
import { become, prepare, root } from './bun.mjs'

process.exitCode = await become(prepare({ development: true }), [
  join(root, 'test/fuzz/run.ts'),
  ...process.argv.slice(2),
])

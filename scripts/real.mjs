import { join } from 'node:path'
import { become, prepare, root } from './bun.mjs'

process.exitCode = await become(prepare({ development: true }), [
  join(root, 'bench/real/run.ts'),
  ...process.argv.slice(2),
])

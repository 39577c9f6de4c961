import { join } from 'node:path'
import { become, prepare, root } from './bun.mjs'

process.exitCode = await become(prepare({ development: false }), [
  join(root, 'src/cli/doctor.ts'),
  ...process.argv.slice(2),
])

import { join, resolve } from 'node:path'
import { become, prepare, root } from './bun.mjs'

// npm changes to the project's folder, but the path is relative to where the command was run.
const files = process.argv
  .slice(2)
  .map((file) => (file.startsWith('--') ? file : resolve(process.env.INIT_CWD ?? '.', file)))
process.exitCode = await become(prepare({ development: false }), [join(root, 'src/cli/import.ts'), ...files])

import { join, resolve } from 'node:path'
import { become, prepare, root } from './bun.mjs'

// npm changes into the project's folder; a file is named from where the person stands.
const files = process.argv.slice(2).map((file) => resolve(process.env.INIT_CWD ?? '.', file))
process.exitCode = await become(prepare({ development: false }), [join(root, 'src/restore.ts'), ...files])

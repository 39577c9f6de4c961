import { join } from 'node:path'
import { become, prepare, root } from './bun.mjs'

const bun = prepare({ development: false })
process.exitCode = await become(bun, [join(root, 'src/index.ts'), ...process.argv.slice(2)])

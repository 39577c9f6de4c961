// Types, lint and format.

import { join } from 'node:path'
import { become, prepare, root } from './bun.mjs'

const bun = prepare({ development: true })
const checks = [
  ['typescript/bin/tsc', '--noEmit'],
  ['@biomejs/biome/bin/biome', 'ci', '.'],
]
for (const [tool, ...args] of checks) {
  process.exitCode = await become(bun, [join(root, 'node_modules', tool), ...args])
  if (process.exitCode !== 0) break
}

// Makes what people install, in `dist`: an executable for each platform, packed, and the npm package.
//   npm run build                      all of it
//   npm run build -- linux-x64 npm     these alone
import { join } from 'node:path'
import { become, prepare, root } from './bun.mjs'

process.exitCode = await become(prepare({ development: true }), [
  join(root, 'scripts/build.ts'),
  ...process.argv.slice(2),
])

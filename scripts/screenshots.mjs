// Makes the pictures for the README and the docs: `npm run screenshots`. Needs Chromium; APP_TEST_CHROMIUM is its path.
import { join } from 'node:path'
import { become, prepare, root } from './bun.mjs'

process.exitCode = await become(prepare({ development: true }), [join(root, 'scripts/screenshots/make.ts')])

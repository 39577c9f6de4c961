// The pictures of README and docs: `npm run pictures`. Needs Chromium (APP_TEST_CHROMIUM says where).
import { join } from 'node:path'
import { become, prepare, root } from './bun.mjs'

process.exitCode = await become(prepare({ development: true }), [join(root, 'scripts/pictures/make.ts')])

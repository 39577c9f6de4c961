// Makes the pictures for the README and the docs: `npm run screenshots`. With `-- --all FOLDER [WORDS]`, pictures of every
// screen in every size and theme. Needs Chromium; APP_TEST_CHROMIUM is its path.
import { resolve } from 'node:path'
import { become, prepare } from './bun.mjs'

const bun = prepare({ development: true })
const [option, folder = 'screens', words = ''] = process.argv.slice(2)
if (option === '--all') Object.assign(process.env, { SCREENS_FOLDER: resolve(folder), SCREENS_WORDS: words })
const everyScreen = ['test', '--timeout=3600000', './scripts/screenshots/every-screen.ts']
process.exitCode = await become(bun, option === '--all' ? everyScreen : ['scripts/screenshots/make.ts'])

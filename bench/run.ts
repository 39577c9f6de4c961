// Benchmarks, for information only: nothing passes or fails. `npm run bench` runs the usual ones, `npm run bench NAME` one.
// In parentheses: the aim.
import { branchTable } from './branches.ts'
import { measureFiles } from './files.ts'
import { firstOpening } from './first-opening.ts'
import { limits } from './limits.ts'
import { falseAlarms } from './loops.ts'
import { machineTable } from './machine.ts'
import { firstTokenPainted, pageOpened } from './page-opening.ts'
import { pageStreamed } from './pages.ts'
import { prefixReuse } from './prefix.ts'
import { recallTable } from './recall.ts'
import { searchTimes } from './search.ts'
import { slowMachine } from './slow.ts'
import { stalls } from './stalls.ts'
import { startTable } from './start.ts'
import { storyTable } from './stories.ts'
import { turnTable } from './turns.ts'
import { typographyTable } from './typography.ts'
import { worldTable } from './world.ts'

type Bench = (args: string[]) => object | Promise<object>

const USUAL: Record<string, Bench> = {
  machine: machineTable,
  start: startTable,
  stories: storyTable,
  turns: turnTable,
  files: () => measureFiles(10_000),
  world: worldTable,
}

const OTHERS: Record<string, Bench> = {
  first: async () => ({ '100,000 actions': await firstOpening(100_000) }),
  opening: async () => ({ ...(await pageOpened(100)), ...(await pageOpened(10_000)) }),
  send: () => firstTokenPainted(10_000),
  pages: () => pageStreamed(10_000),
  search: async () => ({ '100,000 actions': await searchTimes(100_000) }),
  branches: branchTable,
  stalls: () => stalls(10_000),
  prefix: async () => ({
    'replies of 900 characters': await prefixReuse(900),
    'replies of 1,700 characters': await prefixReuse(1_700),
    'replies of 2,600 characters': await prefixReuse(2_600),
  }),
  // A file of conversations with questions.
  recall: recallTable,
  // Files of prose, as plain text.
  loops: falseAlarms,
  // A file of English prose, as plain text.
  typography: typographyTable,
  limits,
  slow: slowMachine,
}

const [, , name, ...args] = process.argv
const all = { ...USUAL, ...OTHERS }
for (const [each, bench] of Object.entries(name === undefined ? USUAL : { [name]: all[name] })) {
  if (bench === undefined)
    throw new Error(`There is no benchmark "${each}". There are: ${Object.keys(all).join(', ')}.`)
  console.table(await bench(args))
}
process.exit()

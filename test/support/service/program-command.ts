import { join } from 'node:path'

const SOURCE = 'src/index.ts'
const project = join(import.meta.dir, '../../..')

/** The command of our program: the built one that `APP_TEST_PROGRAM` names, a bundle or an executable, or the sources. */
export function programCommand(folder?: string): string[] {
  const built = folder === undefined ? process.env.APP_TEST_PROGRAM : undefined
  const program = built ?? join(folder ?? project, SOURCE)
  return /\.[jt]s$/.test(program) ? [process.execPath, program] : [program]
}

import { join } from 'node:path'

const project = join(import.meta.dir, '../../..')

/** The command of our program: from the sources of a folder, or the built one that `APP_TEST_PROGRAM` names. */
export function programCommand(folder = project): string[] {
  const built = process.env.APP_TEST_PROGRAM
  return built ? [built] : [process.execPath, join(folder, 'src/index.ts')]
}

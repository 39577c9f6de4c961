import { printProblem } from '../lib/print.ts'

/** Runs a command-line program. An error ends it with exit code 1 and prints only the message. */
export async function runProgram(program: () => unknown): Promise<void> {
  // What we create is readable by its owner alone.
  process.umask(0o077)
  try {
    await program()
  } catch (error) {
    printProblem(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  }
}

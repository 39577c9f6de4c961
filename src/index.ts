import { runProgram } from './cli/run.ts'

// Not awaited: the bundle's format has no top-level await.
void runProgram(process.argv.slice(2)).then((code) => process.exit(code))

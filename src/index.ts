import { readConfig } from './config.ts'
import { printLine, printProblem } from './lib/print.ts'
import { startService } from './service.ts'

// What we create is readable by its owner alone.
process.umask(0o077)

void main()

async function main(): Promise<void> {
  try {
    const service = await startService(readConfig(process.env))
    const { address, mended } = service.current()
    if (mended > 0)
      printLine(`Other users of this machine could read the library (files: ${mended}). Now only you can.`)
    printLine(`Inglenook is running at ${address}`)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => void service.stop())
    await service.ended
    process.exit(0)
  } catch (error) {
    // The message says what to do; a stack trace would only hide it.
    printProblem(error instanceof Error ? error.message : String(error))
    process.exit(1)
  }
}

import { readConfig } from './config.ts'
import { start } from './start.ts'

try {
  const service = await start(readConfig(process.env))
  console.log(`Inglenook is at ${service.address}`)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => void service.stop().then(() => process.exit(0)))
} catch (error) {
  // A refusal to start is a sentence; its stack would only hide it.
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}

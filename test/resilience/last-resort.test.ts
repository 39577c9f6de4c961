import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { addressOf, spawnFile } from '../support/service/process.ts'
import { temporaryFolder } from '../support/temporary.ts'

// Errors outside every request: of streams and timers, and promises that nobody waits for.

const FAULTY = join(import.meta.dir, '../support/service/faulty-service.ts')

/** Starts the service, causes an error in it, and reads the first of its log. */
async function withFault(fault: string) {
  const APP_DB_PATH = join(temporaryFolder(), 'library.db')
  const child = spawnFile(FAULTY, { APP_DB_PATH, APP_PORT: '0', FAULT: fault })
  const address = await addressOf(child)
  child.kill('SIGUSR2')
  const reader = child.stderr.getReader()
  const read = async () => new TextDecoder().decode((await reader.read()).value)
  return { child, address, log: await read(), read }
}

test.each(['a broken stream', 'a rejected promise', 'something that is no error'])(
  '%s is logged, and the service goes on',
  async (fault) => {
    const { child, address, log } = await withFault(fault)
    expect(log).toContain('Unexpected error outside a request')
    expect((await fetch(new URL('/api/health', address))).status).toBe(200)
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  },
)

test.each(['a damaged library', 'a library that is refused', 'no memory'])(
  '%s ends the service with a sentence',
  async (fault) => {
    const { child, log, read } = await withFault(fault)
    let said = log
    for (let more = await read(); more !== ''; more = await read()) said += more
    expect([await child.exited, said]).toEqual([1, expect.stringContaining('Start it again.')])
  },
)

import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { platformName } from '../scripts/bun.mjs'
import { serviceProgram } from '../scripts/bundle.mjs'
import { PROGRAM_FOLDER } from '../src/lib/project.ts'
import { freePort } from '../test/support/service/free-port.ts'
import { benchLibrary } from './library.ts'

const STARTS = 5
/** MiB, of a library that nobody has opened a story of. */
const AIM_MEMORY = 64
/** The least program that serves a page. */
const HELLO = "Bun.serve({ port: Number(process.env.APP_PORT), fetch: () => new Response('hello') })"

interface Start {
  command: string[]
  dbPath: string
  /** How the service is ended before the next start. */
  signal?: NodeJS.Signals
}

/** Milliseconds from the start of a process to its first page, and its memory then. */
export async function startTable(): Promise<Record<string, Record<string, string>>> {
  const { folder, dbPath } = await benchLibrary()
  const bundle = [process.execPath, serviceProgram(process.execPath)]
  const empty = join(folder, 'empty.db')
  const cases: Record<string, [Start, aim: string]> = {
    'empty library': [{ command: bundle, dbPath: empty }, '120 ms'],
    [`library of ${(Bun.file(dbPath).size / 1e6).toFixed(0)} MB`]: [{ command: bundle, dbPath }, '120 ms'],
    'the same, killed before': [{ command: bundle, dbPath, signal: 'SIGKILL' }, '120 ms'],
    'empty library, npm start': [{ command: ['npm', 'start'], dbPath: empty }, '300 ms'],
    'empty library, from sources': [
      { command: [process.execPath, join(PROGRAM_FOLDER, 'src/index.ts')], dbPath: empty },
      '',
    ],
    ...executableCases(empty, dbPath),
    'the least program': [{ command: [process.execPath, '-e', HELLO], dbPath: empty }, ''],
  }
  const rows: Record<string, Record<string, string>> = {}
  for (const [name, [given, aim]] of Object.entries(cases)) {
    const runs: { took: number; memory: number }[] = []
    for (let run = 0; run <= STARTS; run++) runs.push(await startOnce(given))
    // The first one creates the library, or is the first after another end.
    const times = runs
      .slice(1)
      .map(({ took }) => took)
      .sort((a, b) => a - b)
    // That of npm says nothing.
    const memory = given.command[0] === 'npm' ? 0 : Math.min(...runs.map((run) => run.memory))
    rows[name] = {
      'first page': `${times[STARTS >> 1]?.toFixed(0)} ms`,
      range: `${times[0]?.toFixed(0)} to ${times.at(-1)?.toFixed(0)}`,
      aim,
      memory: memory > 0 ? `${memory.toFixed(0)} MiB${aim ? ` (${AIM_MEMORY})` : ''}` : '',
    }
  }
  rmSync(folder, { recursive: true })
  return rows
}

/** The executable that `npm run build` has left, if any. */
function executableCases(empty: string, full: string): Record<string, [Start, aim: string]> {
  const program = join(PROGRAM_FOLDER, 'dist', platformName(), 'inglenook')
  if (!existsSync(program)) return {}
  const command = [program, '--no-open']
  return {
    'empty library, executable': [{ command, dbPath: empty }, '120 ms'],
    'the large library, executable': [{ command, dbPath: full }, '120 ms'],
  }
}

async function startOnce({ command, dbPath, signal = 'SIGTERM' }: Start) {
  const port = await freePort()
  const began = performance.now()
  const child = Bun.spawn(command, {
    cwd: PROGRAM_FOLDER,
    env: { ...process.env, APP_PORT: String(port), APP_DB_PATH: dbPath },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
    // npm passes no signal on.
    detached: true,
  })
  while (child.exitCode === null) {
    const page = await fetch(`http://127.0.0.1:${port}/`).catch(() => null)
    if (page === null) await Bun.sleep(1)
    else {
      await page.text()
      break
    }
  }
  const took = performance.now() - began
  if (child.exitCode !== null) throw new Error(`${command.join(' ')} ended with ${child.exitCode}`)
  await Bun.sleep(200)
  const memory = await residentMemory(child.pid)
  process.kill(-child.pid, signal)
  await child.exited
  while (
    await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    )
  )
    await Bun.sleep(5)
  return { took, memory }
}

/** MiB; 0 where the system does not say. */
async function residentMemory(pid: number): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`)
    .text()
    .catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024
}

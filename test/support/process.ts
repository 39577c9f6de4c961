import { afterEach } from 'bun:test'
import { join } from 'node:path'

const source = join(import.meta.dir, '../../src')
const children: Bun.Subprocess[] = []

afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGKILL')
    await child.exited
  }
})

export type ServiceProcess = Bun.Subprocess<'ignore', 'pipe', 'pipe'>

/** Starts the service as a process of its own, as a player does; `before` is a command that starts it. */
export function spawnService(env: Record<string, string>, before: string[] = []): ServiceProcess {
  return spawnProgram('index', { APP_PORT: '0', ...env }, [], before)
}

/** Starts one of our programs: the service (`index`), `backup`, `restore`, `doctor`. */
export function spawnProgram(
  program: string,
  env: Record<string, string>,
  args: string[] = [],
  before: string[] = [],
): ServiceProcess {
  const child = Bun.spawn([...before, process.execPath, join(source, `${program}.ts`), ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  children.push(child)
  return child
}

/** The address that a process prints when it answers. */
export async function addressOf(child: ServiceProcess): Promise<string> {
  const reader = child.stdout.getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const address = /http:\S+/.exec(new TextDecoder().decode(read.value))?.[0]
    if (address) return address
  }
  throw new Error(await new Response(child.stderr).text())
}

/** What a process that refuses to start says, and its exit code. */
export async function refusalOf(child: ServiceProcess): Promise<{ code: number; said: string }> {
  const [code, said] = await Promise.all([child.exited, new Response(child.stderr).text()])
  return { code, said: said.trim() }
}

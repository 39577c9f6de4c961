import { afterEach } from 'bun:test'
import { programCommand } from './program-command.ts'

const children: Bun.Subprocess[] = []

afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGKILL')
    await child.exited
  }
})

export type ServiceProcess = Bun.Subprocess<'ignore', 'pipe', 'pipe'>

/** How to start one of our programs: with a command in front, or from another copy of the project. */
export interface Starting {
  before?: string[]
  folder?: string
}

/** Starts the service in its own process, as a player does. */
export function spawnService(env: Record<string, string>, starting: Starting = {}): ServiceProcess {
  return spawnProgram('start', { APP_PORT: '0', ...env }, [], starting)
}

/** Starts our program with a command: `start`, `backup`, `restore`, `doctor`, `import`. */
export function spawnProgram(
  command: string,
  env: Record<string, string>,
  args: string[] = [],
  { before = [], folder }: Starting = {},
): ServiceProcess {
  return spawnCommand([...before, ...programCommand(folder), command, ...args], env)
}

/** Runs a file of ours in its own process. */
export function spawnFile(file: string, env: Record<string, string>): ServiceProcess {
  return spawnCommand([process.execPath, file], env)
}

function spawnCommand(cmd: string[], env: Record<string, string>): ServiceProcess {
  const child = Bun.spawn(cmd, {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  children.push(child)
  return child
}

/** The address that a process prints once it is ready. */
export async function addressOf(child: ServiceProcess): Promise<string> {
  const reader = child.stdout.getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const address = /http:\S+/.exec(new TextDecoder().decode(read.value))?.[0]
    if (!address) continue
    reader.releaseLock()
    return address
  }
  throw new Error(await new Response(child.stderr).text())
}

/** Ends a process and returns its output since its address was read. */
export async function outputOf(child: ServiceProcess): Promise<string> {
  child.kill('SIGTERM')
  const texts = [child.stdout, child.stderr].map(async (stream) => {
    const decoder = new TextDecoder()
    let text = ''
    for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>)
      text += decoder.decode(chunk, { stream: true })
    return text
  })
  return (await Promise.all(texts)).join('')
}

/** The error output and the exit code of a process that refuses to start. */
export async function refusalOf(child: ServiceProcess): Promise<{ code: number; said: string }> {
  const [code, said] = await Promise.all([child.exited, new Response(child.stderr).text()])
  return { code, said: said.trim() }
}

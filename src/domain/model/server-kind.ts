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

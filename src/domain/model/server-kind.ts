/** The model servers that we know by their ways. */
export const SERVER_KINDS = [
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
  'unknown',
] as const

/** Which server answers at an endpoint; `unknown` for any other, and while nobody has looked. */
export type ServerKind = (typeof SERVER_KINDS)[number]

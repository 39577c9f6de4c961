import type { ServerKind } from '../../domain/model/server-kind.ts'
import { engine, practice } from './engine.ts'
import { gpt4all } from './gpt4all.ts'
import { jan } from './jan.ts'
import { koboldcpp } from './koboldcpp.ts'
import { llamaCpp, llamaSwap } from './llama-cpp.ts'
import { llamafile } from './llamafile.ts'
import { lmStudio } from './lm-studio.ts'
import { localai } from './localai.ts'
import { ollama } from './ollama.ts'
import type { Server } from './server.ts'
import { tabbyapi } from './tabbyapi.ts'
import { textGenerationWebui } from './text-generation-webui.ts'
import { unknown } from './unknown.ts'
import { vllm } from './vllm.ts'

/** Every known server. A server comes before those that it imitates. */
export const SERVERS: readonly Server[] = [
  engine,
  tabbyapi,
  koboldcpp,
  localai,
  ollama,
  lmStudio,
  jan,
  llamafile,
  llamaSwap,
  llamaCpp,
  textGenerationWebui,
  vllm,
  gpt4all,
]

export function serverOf(kind: ServerKind = 'unknown'): Server {
  return kind === 'practice' ? practice : (SERVERS.find((server) => server.kind === kind) ?? unknown)
}

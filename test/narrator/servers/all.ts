import type { Transcript } from '../../support/endpoint/recorded.ts'
import { engine } from './engine.ts'
import { gpt4all } from './gpt4all.ts'
import { jan } from './jan.ts'
import { koboldcpp } from './koboldcpp.ts'
import { llamaCpp } from './llama-cpp.ts'
import { llamaSwap } from './llama-swap.ts'
import { llamafile } from './llamafile.ts'
import { lmStudio } from './lm-studio.ts'
import { localai } from './localai.ts'
import { ollama } from './ollama.ts'
import { tabbyapi } from './tabbyapi.ts'
import { textGenerationWebui } from './text-generation-webui.ts'
import { vllm } from './vllm.ts'

/** One transcript of every known model server. */
export const TRANSCRIPTS: readonly Transcript[] = [
  engine,
  ollama,
  lmStudio,
  llamaCpp,
  koboldcpp,
  vllm,
  textGenerationWebui,
  tabbyapi,
  jan,
  localai,
  gpt4all,
  llamafile,
  llamaSwap,
]

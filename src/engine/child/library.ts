import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

// The used parts of node-llama-cpp 3.21.1 (https://node-llama-cpp.withcat.ai/api), which players download on
// request.

type Token = number

export interface EvaluateOptions {
  temperature: number
  seed: number
  topK: number
  topP: number
  minP: number
  xtc?: { probability: number; threshold: number }
  repeatPenalty?: { penalty: number; punishTokens: () => Token[] }
  dryRepeatPenalty?: { strength: number; base?: number; allowedLength?: number; lastTokens?: number }
  grammarEvaluationState?: object
}

export interface Sequence {
  readonly nextTokenIndex: number
  readonly contextSize: number
  readonly contextTokens: Token[]
  readonly needsCheckpoints: boolean
  adaptStateToTokens(tokens: Token[], allowShift: boolean): Promise<void>
  clearHistory(): Promise<void>
  takeCheckpoint(): Promise<void>
  evaluateWithoutGeneratingNewTokens(tokens: Token[]): Promise<void>
  evaluate(tokens: Token[], options: EvaluateOptions): AsyncGenerator<Token, void>
}

interface Context {
  readonly contextSize: number
  getSequence(): Sequence
}

export interface Model {
  readonly fileInfo: { metadata: { tokenizer?: { chat_template?: unknown } } }
  readonly gpuLayers: number
  readonly fileInsights: { totalLayers: number }
  readonly tokens: {
    bos: Token | null
    bosString: string | null
    eosString: string | null
    shouldPrependBosToken: boolean
  }
  readonly tokenizer: object
  detokenize(tokens: readonly Token[], special: boolean, before: readonly Token[]): string
  createContext(options: { contextSize: number; sequences: number; threads?: number }): Promise<Context>
}

export interface Llama {
  readonly gpu: string | false
  readonly cpuMathCores: number
  loadModel(options: { modelPath: string; onLoadProgress: (part: number) => void }): Promise<Model>
  createGrammarForJsonSchema(schema: object): Promise<object>
}

export interface EngineLibrary {
  getLlama(options: {
    gpu: 'auto'
    build: 'never'
    skipDownload: true
    progressLogs: false
    logger: () => void
  }): Promise<Llama>
  LlamaText(parts: readonly (string | object)[]): { tokenize(tokenizer: object): Token[] }
  SpecialTokensText: new (text: string) => object
  LlamaGrammarEvaluationState: new (options: { model: Model; grammar: object }) => object
}

export type TemplateClass = new (source: string) => { render(values: object): string }

export async function loadLibrary(
  folder: string,
): Promise<{ library: EngineLibrary; Template: TemplateClass }> {
  const [library, { Template }] = await Promise.all([
    import(pathToFileURL(join(folder, 'node_modules/node-llama-cpp/dist/index.js')).href),
    import(pathToFileURL(join(folder, 'node_modules/@huggingface/jinja/dist/index.js')).href),
  ])
  return { library, Template }
}

/** Opens the engine with its prebuilt binaries: nothing is compiled or downloaded. */
export function openLlama(library: EngineLibrary): Promise<Llama> {
  return library.getLlama({
    gpu: 'auto',
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    // Its log may quote a prompt.
    logger: () => {},
  })
}

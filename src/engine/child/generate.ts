import { parseJson } from '../../lib/json.ts'
import type { EngineRequest, EngineUsage } from '../protocol.ts'
import type { EngineLibrary, EvaluateOptions, Llama, Model, Sequence } from './library.ts'

export interface OpenModel {
  library: EngineLibrary
  llama: Llama
  model: Model
  sequence: Sequence
}

interface Listener {
  reading(read: number, cached: number, total: number): void
  text(text: string): void
  isAborted(): boolean
}

export class BadRequest extends Error {}

/** Target duration of one step of reading, in milliseconds: aborts are noticed between steps. */
const STEP_DURATION = 60
const STEP_TOKENS = { first: 32, least: 8, most: 512 }
/** Tokens after which an incomplete character is passed on as it is. */
const MAX_PENDING = 8
/** Earlier tokens that are decoded with new ones, because they affect the text. */
const CONTEXT_TOKENS = 8

export async function generate(
  open: OpenModel,
  tokens: number[],
  request: EngineRequest,
  listener: Listener,
): Promise<{ cut: boolean; usage: EngineUsage }> {
  const { sequence } = open
  if (tokens.length === 0) throw new BadRequest('The prompt is empty.')
  if (tokens.length >= sequence.contextSize)
    throw new BadRequest(
      `The prompt has ${tokens.length} tokens, which exceeds the context size of ${sequence.contextSize} tokens.`,
    )
  const options = await optionsFor(open, request)
  const began = performance.now()
  const cached = await read(sequence, tokens, listener)
  const hasRead = performance.now()
  const { cut, written } = listener.isAborted()
    ? { cut: false, written: 0 }
    : await write(open, tokens, { request, options, listener })
  const usage = {
    prompt: tokens.length,
    cached,
    written,
    reading: hasRead - began,
    writing: performance.now() - hasRead,
  }
  return { cut, usage }
}

/** Reads all but the last token, in steps. Returns the number of cached tokens. */
async function read(sequence: Sequence, tokens: number[], listener: Listener): Promise<number> {
  const last = tokens.length - 1
  if (last === 0) await sequence.clearHistory()
  else await sequence.adaptStateToTokens(tokens.slice(0, last), false)
  const cached = sequence.nextTokenIndex
  let size = STEP_TOKENS.first
  for (let at = cached; at < last; ) {
    listener.reading(at, cached, tokens.length)
    if (listener.isAborted()) return cached
    const step = tokens.slice(at, Math.min(at + size, last))
    const began = performance.now()
    await sequence.evaluateWithoutGeneratingNewTokens(step)
    at += step.length
    const fitting = (step.length * STEP_DURATION) / Math.max(1, performance.now() - began)
    size = Math.round(Math.min(STEP_TOKENS.most, size * 2, Math.max(STEP_TOKENS.least, fitting)))
  }
  // A model with a sliding window cannot go back, so it saves the end of each prompt.
  if (sequence.needsCheckpoints) await sequence.takeCheckpoint()
  return cached
}

interface Writing {
  request: EngineRequest
  options: EvaluateOptions
  listener: Listener
}

async function write(
  { model, sequence }: OpenModel,
  tokens: number[],
  { request, options, listener }: Writing,
): Promise<{ cut: boolean; written: number }> {
  const stops = new StopTexts(request.stop)
  const before = tokens.slice(-CONTEXT_TOKENS)
  let pending: number[] = []
  let written = 0
  let cut = false
  let all = ''
  const pass = (text: string) => {
    all += text
    if (text !== '') listener.text(text)
  }
  for await (const token of sequence.evaluate(tokens.slice(-1), options)) {
    written++
    pending.push(token)
    const text = model.detokenize(pending, false, before)
    if (!text.endsWith('\uFFFD') || pending.length >= MAX_PENDING) {
      pass(stops.push(text))
      before.splice(0, before.length, ...[...before, ...pending].slice(-CONTEXT_TOKENS))
      pending = []
    }
    cut = written >= request.max_tokens || sequence.nextTokenIndex >= sequence.contextSize - 1
    const isWhole = request.schema !== undefined && isJson(all)
    if (isWhole) cut = false
    if (cut || isWhole || stops.isStopped || listener.isAborted()) break
  }
  pass(stops.push(model.detokenize(pending, false, before)) + stops.end())
  return { cut: cut && !stops.isStopped, written }
}

// A grammar allows white space after the last bracket, which small models never end.
function isJson(text: string): boolean {
  return /[}\]]\s*$/.test(text) && parseJson(text, { depth: Infinity }) !== undefined
}

async function optionsFor(open: OpenModel, request: EngineRequest): Promise<EvaluateOptions> {
  const { sequence, library, llama, model } = open
  const { repeat_penalty, repeat_last_n = 64, dry_multiplier, xtc_probability, schema } = request
  const dry = {
    base: request.dry_base,
    allowedLength: request.dry_allowed_length,
    lastTokens: request.dry_penalty_last_n,
  }
  return {
    temperature: request.temperature,
    // By default the seed is the time in seconds, and a retry may come within the same second.
    seed: crypto.getRandomValues(new Uint32Array(1))[0] ?? 0,
    // The defaults of llama.cpp's own server.
    topK: 40,
    topP: request.top_p ?? 0.95,
    minP: request.min_p ?? 0.05,
    ...(xtc_probability
      ? { xtc: { probability: xtc_probability, threshold: request.xtc_threshold ?? 0.1 } }
      : {}),
    ...(repeat_penalty && repeat_penalty !== 1
      ? {
          repeatPenalty: {
            penalty: repeat_penalty,
            punishTokens: () => sequence.contextTokens.slice(-repeat_last_n),
          },
        }
      : {}),
    ...(dry_multiplier ? { dryRepeatPenalty: { strength: dry_multiplier, ...withoutUndefined(dry) } } : {}),
    ...(schema
      ? {
          grammarEvaluationState: new library.LlamaGrammarEvaluationState({
            model,
            grammar: await grammarFor(llama, schema),
          }),
        }
      : {}),
  }
}

async function grammarFor(llama: Llama, schema: object): Promise<object> {
  try {
    return await llama.createGrammarForJsonSchema(engineSchema(schema))
  } catch {
    throw new BadRequest('The engine cannot make a grammar of this schema.')
  }
}

function withoutUndefined<T extends object>(given: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>
  }
}

type Schema = Record<string, unknown>

/** Maximum length of an `enum` that replaces bounds, which the engine's grammar lacks. */
const MAX_LISTED = 200

/** Converts a JSON Schema for node-llama-cpp, which has `oneOf` but no `anyOf` and no bounds. */
export function engineSchema(schema: unknown): object {
  if (typeof schema !== 'object' || schema === null) return {}
  const { anyOf, oneOf = anyOf, properties, items, minimum, maximum, ...rest } = schema as Schema
  return {
    ...(rest.type === 'integer' ? (listed(minimum, maximum) ?? rest) : rest),
    ...(Array.isArray(oneOf) ? { oneOf: oneOf.map(engineSchema) } : {}),
    ...(typeof properties === 'object' && properties !== null
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, one]) => [name, engineSchema(one)]),
          ),
        }
      : {}),
    ...(items === undefined ? {} : { items: engineSchema(items) }),
  }
}

function listed(minimum: unknown, maximum: unknown): object | null {
  if (typeof minimum !== 'number' || typeof maximum !== 'number') return null
  const count = maximum - minimum + 1
  if (!Number.isInteger(count) || count < 1 || count > MAX_LISTED) return null
  return { enum: Array.from({ length: count }, (_, i) => minimum + i) }
}

export class StopTexts {
  private buffered = ''
  isStopped = false

  constructor(private readonly stops: readonly string[]) {}

  push(piece: string): string {
    if (this.isStopped) return ''
    const text = this.buffered + piece
    const found = this.stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0)
    this.isStopped = found.length > 0
    const end = this.isStopped ? Math.min(...found) : text.length - this.pendingLength(text)
    this.buffered = this.isStopped ? '' : text.slice(end)
    return text.slice(0, end)
  }

  end(): string {
    return this.isStopped ? '' : this.buffered
  }

  private pendingLength(text: string): number {
    const longest = Math.max(0, ...this.stops.map((stop) => stop.length - 1))
    for (let size = Math.min(longest, text.length); size > 0; size--)
      if (this.stops.some((stop) => stop.startsWith(text.slice(-size)))) return size
    return 0
  }
}

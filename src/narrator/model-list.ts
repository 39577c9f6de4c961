import { field, listOf, textOf } from './json.ts'

/** A model that a server offers. `context_length` in tokens, as it is really loaded where the server tells. */
export interface ModelInfo {
  id: string
  context_length: number | null
}

/** Reads the answer of `/models`, whatever its shape: what is no model is left out. */
export function modelsIn(json: unknown): ModelInfo[] {
  const list = [json, field(json, 'data'), field(json, 'models')].find((value) => Array.isArray(value))
  const models = listOf(list).flatMap(modelIn)
  return [...new Map(models.map((model) => [model.id, model])).values()]
}

function modelIn(item: unknown): ModelInfo[] {
  const id = textOf(field(item, 'id')) ?? textOf(field(item, 'name'))
  return id === null ? [] : [{ id, context_length: contextIn(item) }]
}

// The loaded window comes first: what a model was trained for, or may be given at most, is only a ceiling.
const NAMES = [
  'n_ctx',
  'max_model_len',
  'loaded_context_length',
  'context_length',
  'context_window',
  'max_seq_len',
  'max_context_length',
]

function contextIn(item: unknown): number | null {
  const places = [field(item, 'meta'), item, field(item, 'parameters')]
  const lengths = NAMES.flatMap((name) => places.map((place) => field(place, name)))
  return lengths.find(isLength) ?? null
}

function isLength(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}

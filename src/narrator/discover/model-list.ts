import { field, listOf, textOf } from '../json.ts'

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

/** Whether an answer is the common list of models, be it empty. Lists of other APIs name their models otherwise. */
export function isModelList(json: unknown): boolean {
  return Array.isArray(field(json, 'data')) || modelsIn(json).length > 0
}

/** The entry of a model in a list, by whichever of its names; undefined when it is not there. */
export function modelNamed(list: unknown, model: string): unknown {
  const names = ['id', 'key', 'model', 'name']
  return listOf(list).find((item) => names.some((name) => isSameModel(textOf(field(item, name)), model)))
}

// Ollama adds a tag to a name that has none.
function isSameModel(name: string | null, model: string): boolean {
  return name === model || name === `${model}:latest`
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

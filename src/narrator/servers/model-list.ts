import type { ModelInfo } from '../../domain/model/model-server.ts'
import { isCount } from '../../lib/numbers.ts'
import { field, listOrEmpty, nonEmptyText } from '../json-fields.ts'

export function modelsIn(json: unknown): ModelInfo[] {
  const list = [json, field(json, 'data'), field(json, 'models')].find((value) => Array.isArray(value))
  const models = listOrEmpty(list).flatMap(modelIn)
  return [...new Map(models.map((model) => [model.id, model])).values()]
}

/** True even for an empty model list. Other APIs name their models differently. */
export function isModelList(json: unknown): boolean {
  return Array.isArray(field(json, 'data')) || modelsIn(json).length > 0
}

export function modelNamed(list: unknown, model: string): unknown {
  const names = ['id', 'key', 'model', 'name']
  return listOrEmpty(list).find((item) =>
    names.some((name) => isSameModel(nonEmptyText(field(item, name)), model)),
  )
}

// Ollama adds a tag to a name that has none.
function isSameModel(name: string | null, model: string): boolean {
  return name === model || name === `${model}:latest`
}

function modelIn(item: unknown): ModelInfo[] {
  const id = nonEmptyText(field(item, 'id')) ?? nonEmptyText(field(item, 'name'))
  return id === null ? [] : [{ id, context_length: contextLengthIn(item) }]
}

// The loaded window first: the window that a model was trained for is only a maximum.
const LENGTH_NAMES = [
  'n_ctx',
  'max_model_len',
  'loaded_context_length',
  'context_length',
  'context_window',
  'max_seq_len',
  'max_context_length',
]

function contextLengthIn(item: unknown): number | null {
  const objects = [field(item, 'meta'), item, field(item, 'parameters')]
  const lengths = LENGTH_NAMES.flatMap((name) => objects.map((object) => field(object, name)))
  return lengths.find((length) => isCount(length, 1)) ?? null
}

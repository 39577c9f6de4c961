import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { type GgufHead, NotGguf, readGguf } from './gguf.ts'

/** What a model file says about itself. */
export interface ModelFile {
  path: string
  /** The name of the file, which is also the model's name. */
  name: string
  bytes: number
  /** The title in the file; '' if it has none. */
  title: string
  license: string
  /** Tokens of context that the model was made for; 0 where the file does not say. */
  trained: number
  /** Bytes of memory for each token of context. */
  bytesPerToken: number
}

const known = new Map<string, ModelFile>()
const MAX_KNOWN = 100

/** Reads the metadata of a file, once for each state of it. Throws NotGguf with a sentence for the player. */
export function readModelFile(path: string): ModelFile {
  const facts = statSync(path, { throwIfNoEntry: false })
  if (!facts?.isFile()) throw new NotGguf(`There is no file at ${path}.`)
  const key = `${facts.size} ${facts.mtimeMs} ${path}`
  const file = known.get(key) ?? readAnew(path, facts.size)
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(key, file)
  return file
}

function readAnew(path: string, bytes: number): ModelFile {
  const head = headOf(path)
  if (head.leastBytes > bytes)
    throw new NotGguf('This model file is damaged or incomplete. Download it again.')
  const { values } = head
  const architecture = textOf(values.get('general.architecture'))
  if (architecture === '' || architecture === 'clip')
    throw new NotGguf('This file is a part of a model, not one that can tell a story.')
  if (Number(values.get('split.count') ?? 1) > 1)
    throw new NotGguf('This is one of several parts of a model. Choose a model that is one file.')
  return {
    path,
    name: basename(path),
    bytes,
    title: textOf(values.get('general.name')),
    license: textOf(values.get('general.license.name')) || textOf(values.get('general.license')),
    trained: numberOf(values.get(`${architecture}.context_length`)),
    bytesPerToken: bytesPerToken(values, architecture),
  }
}

function headOf(path: string): GgufHead {
  try {
    return readGguf(path)
  } catch (error) {
    if (error instanceof NotGguf) throw error
    throw new NotGguf(`The file at ${path} cannot be read.`)
  }
}

/** Keys and values of all layers, of two bytes each. */
function bytesPerToken(values: GgufHead['values'], architecture: string): number {
  const of = (key: string) => values.get(`${architecture}.${key}`)
  const layers = numberOf(of('block_count'))
  const heads = numberOf(of('attention.head_count')) || 1
  const size = numberOf(of('embedding_length')) / heads
  const lists = of('attention.head_count_kv')
  const perLayer = Array.isArray(lists) ? lists : Array(layers).fill(numberOf(lists) || heads)
  const keyAndValue =
    (numberOf(of('attention.key_length')) || size) + (numberOf(of('attention.value_length')) || size)
  return 2 * keyAndValue * perLayer.slice(0, layers).reduce((sum: number, count: number) => sum + count, 0)
}

function textOf(value: unknown): string {
  // Shown on a page, in one line.
  return typeof value === 'string' ? value.replace(/\s+/g, ' ').trim().slice(0, 200) : ''
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 && value < 1e9 ? value : 0
}

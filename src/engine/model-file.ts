import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { type GgufHead, MAX_LAYERS, NotGguf, readGguf } from './gguf.ts'

export interface ModelFile {
  path: string
  name: string
  bytes: number
  /** '' if the file has none. */
  title: string
  license: string
  /** Tokens of context that the model was trained for; 0 if unknown. */
  trained: number
  bytesPerToken: number
}

const cache = new Map<string, ModelFile>()
const MAX_CACHED = 100

/** Reads the metadata of a file, cached by size and time. Throws NotGguf. */
export async function readModelFile(path: string): Promise<ModelFile> {
  const facts = await stat(path).catch(() => null)
  if (!facts?.isFile()) throw new NotGguf(`There is no file at ${path}.`)
  const key = `${facts.size} ${facts.mtimeMs} ${path}`
  const file = cache.get(key) ?? (await readMetadata(path, facts.size))
  if (cache.size >= MAX_CACHED) cache.clear()
  cache.set(key, file)
  return file
}

async function readMetadata(path: string, bytes: number): Promise<ModelFile> {
  const head = await headOf(path)
  if (head.minBytes > bytes) throw new NotGguf('This model file is damaged or incomplete. Download it again.')
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
    trained: numberIn(values, `${architecture}.context_length`),
    bytesPerToken: bytesPerToken(values, architecture),
  }
}

async function headOf(path: string): Promise<GgufHead> {
  try {
    return await readGguf(path)
  } catch (error) {
    if (error instanceof NotGguf) throw error
    throw new NotGguf(`The file at ${path} cannot be read.`)
  }
}

/** Two bytes for each key and value in all layers. */
function bytesPerToken(values: GgufHead['values'], architecture: string): number {
  const of = (key: string, most?: number) => numberIn(values, `${architecture}.${key}`, most)
  const layers = of('block_count', MAX_LAYERS)
  const heads = of('attention.head_count') || 1
  const size = of('embedding_length') / heads
  const perLayer = values.get(`${architecture}.attention.head_count_kv`)
  const headsOfAll = Array.isArray(perLayer)
    ? perLayer.slice(0, layers).reduce((sum: number, count: number) => sum + wholeNumber(count), 0)
    : layers * (of('attention.head_count_kv') || heads)
  const keyAndValue = (of('attention.key_length') || size) + (of('attention.value_length') || size)
  return 2 * keyAndValue * headsOfAll
}

function textOf(value: unknown): string {
  // Shown on one line of a page.
  return typeof value === 'string' ? value.replace(/\s+/g, ' ').trim().slice(0, 200) : ''
}

function numberIn(values: GgufHead['values'], key: string, most?: number): number {
  const value = values.get(key)
  return typeof value === 'number' ? wholeNumber(value, most) : 0
}

function wholeNumber(value: number, most = 1e9): number {
  if (Number.isInteger(value) && value >= 0 && value <= most) return value
  throw new NotGguf('This model file describes a model that cannot exist. Download it again.')
}

const LIMITS = { depth: 6, entries: 20_000, files: 60 }

export function usualFolders(): string[] {
  const home = homedir()
  const cache = process.env.XDG_CACHE_HOME || join(home, '.cache')
  return [
    join(home, 'models'),
    join(home, 'Downloads'),
    join(home, '.lmstudio', 'models'),
    join(cache, 'lm-studio', 'models'),
    join(cache, 'llama.cpp'),
    join(cache, 'huggingface', 'hub'),
    join(home, 'Library', 'Caches', 'llama.cpp'),
    join(home, '.local', 'share', 'nomic.ai', 'GPT4All'),
    join(home, 'AppData', 'Local', 'nomic.ai', 'GPT4All'),
    join(home, 'jan', 'models'),
    join(home, 'koboldcpp'),
  ]
}

/** Paths of model files in folders and their subfolders. Bounded, so that no folder takes long. */
export async function findModelFiles(folders: readonly string[]): Promise<string[]> {
  const found = new Map<string, string>()
  const left = { entries: LIMITS.entries }
  for (const folder of folders) await search(folder, LIMITS.depth, { found, left })
  return [...found.values()].sort()
}

interface Search {
  /** Paths by real path: caches contain links to one file. */
  found: Map<string, string>
  left: { entries: number }
}

async function search(folder: string, depth: number, state: Search): Promise<void> {
  for (const entry of await entriesOf(folder)) {
    if (--state.left.entries < 0 || state.found.size >= LIMITS.files) return
    const path = join(folder, entry.name)
    if (entry.isDirectory() && depth > 0) await search(path, depth - 1, state)
    // Image projectors are not language models.
    else if (/\.gguf$/i.test(entry.name) && !/^mmproj/i.test(entry.name))
      state.found.set(await realpath(path).catch(() => path), path)
  }
}

function entriesOf(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => [])
}

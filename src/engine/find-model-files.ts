import type { Dirent } from 'node:fs'
import { readdir, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

const LIMITS = { depth: 6, entries: 20_000, files: 60 }

/** The folders in which programs keep model files and browsers put downloads. */
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

/** The paths of model files in some folders and what is in them. Bounded, so that no folder takes long. */
export async function findModelFiles(folders: readonly string[]): Promise<string[]> {
  const found = new Map<string, string>()
  const left = { entries: LIMITS.entries }
  for (const folder of folders) await search(folder, LIMITS.depth, { found, left })
  return [...found.values()].sort()
}

interface Search {
  /** By the real path: caches have links to one file. */
  found: Map<string, string>
  left: { entries: number }
}

async function search(folder: string, depth: number, state: Search): Promise<void> {
  for (const entry of await entriesOf(folder)) {
    if (--state.left.entries < 0 || state.found.size >= LIMITS.files) return
    const path = join(folder, entry.name)
    if (entry.isDirectory() && depth > 0) await search(path, depth - 1, state)
    // Projectors for pictures are not language models.
    else if (/\.gguf$/i.test(entry.name) && !/^mmproj/i.test(entry.name))
      state.found.set(await realpath(path).catch(() => path), path)
  }
}

function entriesOf(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => [])
}

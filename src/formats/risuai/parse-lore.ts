import { MAX_CARDS } from '../../domain/limits.ts'
import { isObject } from '../../lib/objects.ts'
import { type Format, planOf, rootFields } from '../format.ts'
import { type LoreEntry, loreCards, parseLorebook } from '../lore/lorebook.ts'
import type { Fields } from '../shared/fields.ts'
import { importRefused } from '../shared/import-refused.ts'

/** The lorebook of RisuAI, alone or in a module that is JSON. */
export const risuLorebook: Format = {
  kind: 'risuai-lorebook',
  matches: (file) =>
    isObject(file) &&
    ((file.type === 'risu' && Array.isArray(file.data)) ||
      (file.type === 'risuModule' && Array.isArray(file.lorebook))),
  parse: (source) => {
    const file = rootFields(source)
    file.came('File format', 'type', 'ver')
    file.left(
      'Scripts are never run',
      'regex',
      'trigger',
      'cjs',
      'lowLevelAccess',
      'backgroundEmbedding',
      'mcp',
    )
    const story_cards = loreCards(parseRisuLore(file, [file.source.type === 'risu' ? 'data' : 'lorebook']))
    if (story_cards.length === 0) throw importRefused('This lorebook has no entry with text.')
    return planOf('risuai-lorebook', file, { story_cards })
  },
}

/** The entries of a lorebook of RisuAI. Its folders are none. */
export function parseRisuLore(file: Fields, keys: readonly string[]): LoreEntry[] {
  const items = file.list(keys, 'Story cards', MAX_CARDS) ?? []
  const entries = items.filter(({ fields, drop }) => {
    const isFolder = fields.source.mode === 'folder'
    if (isFolder) drop('A folder')
    return !isFolder
  })
  return parseLorebook(entries, '{{char}}')
}

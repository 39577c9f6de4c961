import { MAX_CARDS } from '../../domain/limits.ts'
import type { CardFields } from '../../domain/story-card.ts'
import { isObject, ownValue } from '../../lib/objects.ts'
import { type Format, planOf, rootFields } from '../format.ts'
import { parseLorebook } from '../lore/lorebook.ts'
import { WRITERS } from '../lore/writers.ts'
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
    const story_cards = parseRisuLore(file, [file.source.type === 'risu' ? 'data' : 'lorebook'])
    if (story_cards.length === 0) throw importRefused('This lorebook has no entry with text.')
    return planOf('risuai-lorebook', file, { story_cards })
  },
}

/** Modes of entries of RisuAI that are none of their own. A child repeats the entry with its id elsewhere. */
const NO_ENTRIES: Record<string, string> = { folder: 'A folder', child: 'A copy of another entry' }

export function parseRisuLore(file: Fields, keys: readonly string[]): CardFields[] {
  const items = file.list(keys, 'Story cards', MAX_CARDS) ?? []
  const entries = items.filter(({ fields, drop }) => {
    const { mode } = fields.source
    const what = typeof mode === 'string' ? ownValue(NO_ENTRIES, mode) : undefined
    if (what !== undefined) drop(what)
    return what === undefined
  })
  return parseLorebook(entries, { writer: WRITERS.risuai, char: '{{char}}', fields: null })
}

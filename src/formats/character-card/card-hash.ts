import { hashOf } from '../../lib/hash.ts'
import { isObject } from '../../lib/objects.ts'

/** The key for the hash of the texts in a card of ours, beside the complete scenario in `extensions`. */
export const CARD_HASH = 'inglenook_hash'

// Not the name, which programs change to what their files may be called.
const TEXTS = [
  ...['description', 'personality', 'scenario', 'first_mes', 'mes_example', 'creator_notes'],
  ...[
    'system_prompt',
    'post_history_instructions',
    'alternate_greetings',
    'tags',
    'creator',
    'character_version',
  ],
]

/** A hash of what a player may edit of a card in another program. */
export function cardHash(data: Record<string, unknown>): string {
  const { character_book } = data
  const entries = isObject(character_book) ? character_book.entries : null
  const lore = Array.isArray(entries) ? entries.filter(isObject).map(loreIn) : []
  return hashOf(JSON.stringify([TEXTS.map((key) => data[key] ?? ''), lore]))
}

function loreIn({ keys, secondary_keys, content, enabled }: Record<string, unknown>): unknown[] {
  return [keys, secondary_keys ?? [], content, enabled]
}

/** True if the texts of a card of ours were edited in another program since. */
export function isEdited(data: Record<string, unknown>): boolean {
  const { extensions } = data
  const hash = isObject(extensions) ? extensions[CARD_HASH] : null
  return typeof hash === 'string' && hash !== cardHash(data)
}

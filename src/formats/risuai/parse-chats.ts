import { LIMITS } from '../../domain/limits.ts'
import type { PortableAction, PortableAdventure } from '../../domain/portable/portable.ts'
import { isObject } from '../../lib/objects.ts'
import { cutTo, isBlank } from '../../lib/text.ts'
import { type Format, planOf, rootFields } from '../format.ts'
import { MAX_ACTIONS } from '../import-limits.ts'
import { parseLoreText } from '../lore/lorebook.ts'
import { makeAction, withOpening } from '../shared/actions.ts'
import { emptyAdventure } from '../shared/empty-adventure.ts'
import { Fields, itemsIn, type ListItem } from '../shared/fields.ts'
import { importRefused } from '../shared/import-refused.ts'
import { withNames } from '../shared/macros.ts'
import { parseRisuLore } from './parse-lore.ts'

const MAX_CHATS = 200

/** A chat of RisuAI, or all chats of a character. The first message of the character is in its card, not in a chat. */
export const risuChats: Format = {
  kind: 'risuai-chat',
  matches: (file) => isObject(file) && (file.type === 'risuChat' || file.type === 'risuAllChats'),
  parse: (source, title) => {
    const file = rootFields(source)
    file.came('File format', 'type', 'ver')
    const adventures = chatsIn(file).flatMap((chat) => parseChat(chat, title))
    if (adventures.length === 0) throw importRefused('This chat has no message with text.')
    return planOf('risuai-chat', file, { adventures })
  },
}

function chatsIn(file: Fields): Fields[] {
  const { data } = file.source
  if (isObject(data)) return [new Fields(file.receipt, data)]
  if (!Array.isArray(data)) return []
  return itemsIn(file.receipt, data, MAX_CHATS, 'data').map(({ fields }) => fields)
}

function parseChat(chat: Fields, fallback: string): PortableAdventure[] {
  const items = chat.list(['message'], 'Passages', MAX_ACTIONS) ?? []
  const actions = items.flatMap(parseMessage)
  if (actions.length === 0) return []
  const name = chat.text(['name'], 'Title', { limit: LIMITS.name })
  const note = parseLoreText(chat, ['note'], 'Author’s note', { char: '{{char}}' })
  return [
    {
      ...emptyAdventure(isBlank(name) ? fallback : cutTo(`${fallback}: ${name}`, LIMITS.name)),
      authors_note: note,
      story_cards: parseRisuLore(chat, ['localLore']).map((card) => ({ ...card, source_ref: null })),
      actions: withOpening(actions),
    },
  ]
}

function parseMessage({ fields, drop }: ListItem): PortableAction[] {
  const written = fields.text(['data'], 'Text', { limit: Number.POSITIVE_INFINITY })
  const text = withNames(written, '{{char}}', 'you').trim()
  if (text !== written.trim()) fields.changed('Text, with names filled in', 'data')
  fields.came('Who speaks', 'role')
  const { role, isComment, disabled } = fields.source
  if (disabled) fields.changed('Hidden from the model there, a passage like any other here', 'disabled')
  const created_at = fields.time(['time'], 'Time')
  if (isComment === true || isBlank(text)) {
    drop(isBlank(text) ? 'Empty message' : 'A note of the player, not part of the story')
    return []
  }
  return [makeAction(role === 'user' ? 'story' : 'ai', text, { created_at })]
}

import type { PortableAction } from '../../domain/portable/portable.ts'
import { READER_QUESTION } from '../../domain/text/placeholder.ts'
import { isObject } from '../../lib/objects.ts'
import { isBlank } from '../../lib/text.ts'
import { SCENARIO } from '../character-card/character-texts.ts'
import { type Format, planOf, rootFields } from '../format.ts'
import { MAX_ACTIONS } from '../import-limits.ts'
import { parseLoreText } from '../lore/lorebook.ts'
import { makeAction, openedByReply, withOpening } from '../shared/actions.ts'
import { emptyAdventure } from '../shared/empty-adventure.ts'
import type { Fields, ListItem } from '../shared/fields.ts'
import { importRefused } from '../shared/import-refused.ts'
import { withNames } from '../shared/macros.ts'

/** A chat of Agnai. The file names the player, and rarely the characters. */
export const agnaiChat: Format = {
  kind: 'agnai-chat',
  matches: (file) =>
    isObject(file) &&
    Array.isArray(file.messages) &&
    file.messages.some((message) => isObject(message) && typeof message.msg === 'string'),
  parse: (source, title) => {
    const file = rootFields(source)
    const items = file.list(['messages'], 'Passages', MAX_ACTIONS) ?? []
    const names = namesIn(items)
    const actions = items.flatMap((item) => parseMessage(item, names))
    if (actions.length === 0) throw importRefused('This chat has no message with text.')
    const greeting = withNames(
      file.text(['greeting'], 'Opening'),
      names.char || '{{char}}',
      names.user || 'you',
    )
    const char = names.char || '{{char}}'
    const scene = parseLoreText(file, ['scenario'], 'Plot essentials', { char }).trim()
    const adventure = {
      ...emptyAdventure(title),
      memory: scene === '' ? '' : SCENARIO + scene,
      example_dialogue: parseLoreText(file, ['sampleChat'], 'Example dialogue', { char }),
      placeholders: names.user === '' ? {} : { [READER_QUESTION]: names.user },
      actions: withOpening(withGreeting(actions, greeting.trim())),
    }
    return planOf('agnai-chat', file, { adventures: [adventure] })
  },
}

/** The greeting is the first message, unless only the end of the chat was exported. */
function withGreeting(actions: readonly PortableAction[], greeting: string): PortableAction[] {
  const isMissing = greeting !== '' && greeting !== actions[0]?.text
  return isMissing ? [makeAction('start', greeting), ...actions] : openedByReply(actions)
}

interface Names {
  user: string
  char: string
}

/** The names of the player and of the only character; '' where the file has none. */
function namesIn(items: readonly ListItem[]): Names {
  const named = (key: 'handle' | 'name', isUser: boolean) => {
    const found = items
      .filter(({ fields }) => isPlayers(fields) === isUser)
      .flatMap(({ fields: { source } }) => (typeof source[key] === 'string' ? source[key].trim() : []))
    const [first = '', ...others] = new Set(found)
    return others.length === 0 ? first : ''
  }
  return { user: named('handle', true), char: named('name', false) }
}

function isPlayers({ source }: Fields): boolean {
  return typeof source.characterId !== 'string'
}

function parseMessage({ fields, drop }: ListItem, { user, char }: Names): PortableAction[] {
  const written = fields.text(['msg'], 'Text', { limit: Infinity })
  const text = withNames(written, char || '{{char}}', user || 'you').trim()
  if (text !== written.trim()) fields.changed('Text, with names filled in', 'msg')
  fields.came('Who speaks', 'characterId', 'userId', 'handle', 'name')
  const created_at = fields.time(['createdAt'], 'Time')
  if (isBlank(text)) {
    drop('Empty message')
    return []
  }
  return [makeAction(isPlayers(fields) ? 'story' : 'ai', text, { created_at })]
}

import type { PortableAction } from '../../domain/portable/portable.ts'
import type { Variant } from '../../domain/variant.ts'
import { isObject, ownValue } from '../../lib/objects.ts'
import { type Format, planOf, rootFields } from '../format.ts'
import { MAX_ACTIONS } from '../import-limits.ts'
import { makeAction, makeNarration, openedByReply, withOpening } from '../shared/actions.ts'
import { emptyAdventure } from '../shared/empty-adventure.ts'
import { importRefused } from '../shared/import-refused.ts'

/** The lines of the player and the model in turn; '' for neither. */
type Exchange = [player: string, model: string]

/** Stands for the player's line before a greeting. */
const NO_LINE = '<|BEGIN-VISIBLE-CHAT|>'
/** The texts as they were written, and as they were shown, with entities for signs; both as they were called before, too. */
const [WRITTEN, SHOWN] = [
  ['internal', 'data'],
  ['visible', 'data_visible'],
]

/** A chat of text-generation-webui (https://github.com/oobabooga/text-generation-webui). */
export const webuiChat: Format = {
  kind: 'webui-chat',
  matches: (file) =>
    isObject(file) && WRITTEN.some((key, i) => isChat(file[key]) && Array.isArray(file[SHOWN[i] ?? ''])),
  parse: (source, title) => {
    const file = rootFields(source)
    const exchanges = file.value(WRITTEN, 'Passages', (value) => (isChat(value) ? value : undefined)) ?? []
    if (exchanges.length > MAX_ACTIONS)
      throw importRefused(`This file cannot be read: its chat is of more than ${MAX_ACTIONS} items.`)
    file.changed('Versions of the passages, without their times', 'metadata')
    const actions = exchanges.flatMap((exchange, i) =>
      actionsOf(exchange, versionsOf(file.source.metadata, i)),
    )
    if (actions.length === 0) throw importRefused('This chat has no message with text.')
    return planOf('webui-chat', file, {
      adventures: [{ ...emptyAdventure(title), actions: withOpening(openedByReply(actions)) }],
    })
  },
}

function isChat(value: unknown): value is Exchange[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(
      (row) => Array.isArray(row) && row.length === 2 && row.every((text) => typeof text === 'string'),
    )
  )
}

function actionsOf([player, model]: Exchange, { texts, current }: Versions): PortableAction[] {
  const line = player === NO_LINE ? '' : player.trim().toWellFormed()
  const text = model.trim().toWellFormed()
  // One that was edited since is not among them.
  const all = texts[current] === text ? texts : [...texts, text]
  const variants = all.map((one): Variant => ({ text: one, reasoning: null, created_at: null }))
  return [
    ...(line === '' ? [] : [makeAction('story', line)]),
    ...(text === '' ? [] : [makeNarration(variants, all === texts ? current : texts.length)]),
  ]
}

interface Versions {
  texts: string[]
  current: number
}

/** The versions of a reply, by the number of its exchange. */
function versionsOf(metadata: unknown, exchange: number): Versions {
  const about = isObject(metadata) ? ownValue(metadata, `assistant_${exchange}`) : null
  const versions = isObject(about) && Array.isArray(about.versions) ? about.versions : []
  const texts = versions.flatMap((version) =>
    isObject(version) && typeof version.content === 'string' ? version.content.trim().toWellFormed() : [],
  )
  const current = isObject(about) ? about.current_version_index : 0
  return { texts, current: typeof current === 'number' ? current : 0 }
}

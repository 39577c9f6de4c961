import type { PortableAction } from '../../domain/portable/portable.ts'
import type { Variant } from '../../domain/variant.ts'
import { isBlank } from '../../lib/text.ts'
import { MAX_ACTIONS } from '../import-limits.ts'
import { makeAction, makeNarration } from '../shared/actions.ts'
import type { Fields } from '../shared/fields.ts'
import { withNames } from '../shared/macros.ts'

/** Versions of one passage. */
const MAX_VERSIONS = 1_000

/** The passages of a chat after its opening; only the opening if there are none. */
export function parseMessages(
  file: Fields,
  { char, opening }: { char: string; opening: string },
): PortableAction[] {
  const items = file.list(['messages'], 'Passages', MAX_ACTIONS) ?? []
  const messages = items.flatMap(({ fields, drop }) => {
    fields.came('Who speaks', 'type')
    const action = fields.source.type === 'ai' ? parseReply(fields, char) : parseLine(fields, char)
    if (action === null) drop('Empty message')
    return action ?? []
  })
  const [first] = messages
  // The chat may repeat the opening that its scenario has.
  const repeats = first?.type === 'ai' && first.text === opening
  return [
    makeAction('start', opening, repeats ? { created_at: first.created_at } : {}),
    ...messages.slice(repeats ? 1 : 0),
  ]
}

function parseLine(message: Fields, char: string): PortableAction | null {
  const { text, created_at } = parseText(message, char)
  return isBlank(text) ? null : makeAction('story', text, { created_at })
}

/** All versions of a passage; the one that was chosen last is live. */
function parseReply(message: Fields, char: string): PortableAction | null {
  const outputs = message.list(['outputs'], 'Versions', MAX_VERSIONS) ?? []
  const versions = outputs.flatMap(({ fields, drop }) => {
    const { text, created_at } = parseText(fields, char)
    const chosen = fields.time(['activeTimestamp'], 'Which version is live') ?? ''
    if (!isBlank(text)) return [{ variant: { text, reasoning: null, created_at } satisfies Variant, chosen }]
    drop('Empty version')
    return []
  })
  if (versions.length === 0) return null
  const newest = versions.reduce(
    (best, { chosen }, i) => (chosen > (versions[best]?.chosen ?? '') ? i : best),
    0,
  )
  const variants = versions.map(({ variant }) => variant)
  return makeNarration(variants, newest, { created_at: variants[newest]?.created_at ?? null })
}

function parseText(message: Fields, char: string): { text: string; created_at: string | null } {
  const written = message.text(['text'], 'Text', { limit: Number.POSITIVE_INFINITY })
  const text = withNames(written, char, 'you').trim()
  if (text !== written.trim()) message.changed('Text, with names filled in', 'text')
  return { text, created_at: message.time(['createdAt'], 'Time') }
}

import { UNTITLED_ADVENTURE } from '../../adventure.ts'
import { LIMITS } from '../../limits.ts'
import { isBlank } from '../../../lib/text.ts'
import type { Variant } from '../../variant.ts'
import { isObject } from '../../../lib/objects.ts'
import type { CarriedAction, ImportPlan } from '../../portable/portable.ts'
import { emptyAdventure } from '../../../formats/shared/empty-adventure.ts'
import { jsonFrom } from './json.ts'
import { withNames } from '../../../formats/shared/macros.ts'
import { MOST_PASSAGES, narration, passage, withOpening } from './passages.ts'
import { pick, pickFlag, pickText, pickTime, strings } from './pick.ts'
import { planOf } from './plan.ts'
import { Reading } from '../../../formats/shared/receipt.ts'
import { refused } from '../../../formats/shared/import-refused.ts'

const HEAD = ['chat_metadata', 'user_name', 'character_name']

/** Whether a text is a chat of SillyTavern: one JSON object a line, the first a head or a message. */
export function isChat(text: string): boolean {
  const first = text.slice(0, text.search(/\n|$/))
  const value = jsonFrom(first)
  return isObject(value) && ('mes' in value || HEAD.some((key) => key in value))
}

/** Reads such a chat. Each line is a place of `lines`. Throws import_refused. */
export function readChat(text: string, title: string): ImportPlan {
  const reading = new Reading()
  const lines = text.split('\n').filter((line) => !isBlank(line))
  if (lines.length > MOST_PASSAGES) throw refused(`This chat has more than ${MOST_PASSAGES} messages.`)
  const values = lines.map((line) => jsonFrom(line) ?? line)
  const file = { lines: values }
  reading.judge('taken', file, 'lines', 'Passages, one a line.')
  reading.open(values)
  const [first] = values
  const head = isObject(first) && !('mes' in first) ? first : {}
  const names = pickHead(reading, head)
  const actions: CarriedAction[] = []
  for (const [at, value] of values.entries()) {
    if (value === head) continue
    if (!isObject(value)) reading.judge('refused', values, at, 'A line that is no message: it is broken.')
    else actions.push(...messageFrom(reading, values, at, value, names, actions.length === 0))
  }
  if (actions.length === 0) throw refused('There is no message with a word in this chat.')
  const adventure = {
    ...emptyAdventure([names.char, title].find((one) => !isBlank(one)) ?? UNTITLED_ADVENTURE),
    authors_note: names.note,
    actions: withOpening(actions),
  }
  return planOf('sillytavern-chat', reading, file, { adventures: [adventure] })
}

interface Names {
  user: string
  char: string
  note: string
}

function pickHead(reading: Reading, head: Record<string, unknown>): Names {
  reading.open(head)
  const short = { limit: LIMITS.name, loose: true }
  const user = pickText(reading, head, ['user_name'], 'Who you are, where a text stands in for it', short)
  const char = pickText(reading, head, ['character_name'], 'Title', short)
  const { chat_metadata } = head
  if (!isObject(chat_metadata)) return { user, char, note: '' }
  reading.open(chat_metadata)
  return { user, char, note: pickText(reading, chat_metadata, ['note_prompt'], 'Author’s note') }
}

function messageFrom(
  reading: Reading,
  lines: unknown[],
  at: number,
  message: Record<string, unknown>,
  names: Names,
  isFirst: boolean,
): CarriedAction[] {
  if (message.is_system === true) {
    reading.judge('dropped', lines, at, 'A hidden note: nobody in the story says it.')
    return []
  }
  reading.open(message)
  const isUser = pickFlag(reading, message, ['is_user'], 'Who speaks', false)
  if (Object.hasOwn(message, 'is_system'))
    reading.judge('taken', message, 'is_system', 'Whether it is hidden.')
  if (Object.hasOwn(message, 'name'))
    reading.judge('dropped', message, 'name', 'Who speaks: the text has to say it.')
  const text = pickWords(reading, message, names)
  const created_at = pickTime(reading, message, ['send_date'], 'When it was told')
  const reasoning = pickReasoning(reading, message)
  const { attempts, live } = pickSwipes(reading, message, { text, reasoning, created_at }, names)
  if (attempts.every((one) => isBlank(one.text))) {
    reading.judge('dropped', lines, at, 'A message without a word.')
    return []
  }
  if (!isUser && !isFirst) return [narration(attempts, live, { created_at })]
  if (Array.isArray(message.swipes) && attempts.length > 1)
    reading.judge(
      'changed',
      message,
      'swipes',
      'Other forms of an opening or a player’s line: only the live one is kept.',
    )
  const shown = attempts[live]?.text ?? text
  return [passage(isUser ? lineType(shown) : 'start', shown, { created_at })]
}

// One exporter nests the words.
function pickWords(reading: Reading, message: Record<string, unknown>, { user, char }: Names): string {
  const nested = isObject(message.mes) ? message.mes : null
  if (nested) reading.open(nested)
  const text = nested
    ? pickText(reading, nested, ['message'], 'Words', { limit: Infinity })
    : pickText(reading, message, ['mes'], 'Words', { limit: Infinity, loose: true })
  const named = withNames(text, char || '{{char}}', user || 'you')
  if (named !== text)
    reading.judge('changed', nested ?? message, nested ? 'message' : 'mes', 'Words. Names are filled in.')
  return named
}

function pickReasoning(reading: Reading, message: Record<string, unknown>): string | null {
  const { extra } = message
  if (!isObject(extra)) return null
  reading.open(extra)
  return pickText(reading, extra, ['reasoning'], 'What the model thought', { limit: Infinity }) || null
}

/** The attempts at a message. The live one says what the message says: it may have been edited. */
function pickSwipes(
  reading: Reading,
  message: Record<string, unknown>,
  shown: Variant,
  { user, char }: Names,
): { attempts: Variant[]; live: number } {
  const swipes = pick(reading, message, ['swipes'], 'Attempts', (value, key) => {
    if (!Array.isArray(value)) return undefined
    reading.judge('taken', message, key, 'Attempts.')
    return value.map((one) => (isObject(one) ? one.message : one))
  })
  const asked = pick(reading, message, ['swipe_id'], 'Live attempt', (value, key) => {
    if (!Number.isSafeInteger(value)) return undefined
    reading.judge('taken', message, key, 'Live attempt.')
    return value as number
  })
  if (!swipes || swipes.length === 0) return { attempts: [shown], live: 0 }
  const at = Math.min(Math.max(0, asked ?? 0), swipes.length - 1)
  const abouts = pickSwipeInfo(reading, message)
  const attempts = swipes.flatMap((swipe, i): { attempt: Variant; at: number }[] => {
    if (i === at && !isBlank(shown.text)) return [{ attempt: shown, at: i }]
    const text = withNames(strings([swipe])[0] ?? '', char || '{{char}}', user || 'you')
    if (isBlank(text)) return []
    const { reasoning = null, created_at = null } = abouts[i] ?? {}
    return [{ attempt: { text, reasoning, created_at }, at: i }]
  })
  if (attempts.length < swipes.length)
    reading.judge('changed', message, 'swipes', 'Attempts, without those that say nothing.')
  return {
    attempts: attempts.map(({ attempt }) => attempt),
    live: Math.max(
      0,
      attempts.findIndex((one) => one.at === at),
    ),
  }
}

function pickSwipeInfo(
  reading: Reading,
  message: Record<string, unknown>,
): (Pick<Variant, 'reasoning' | 'created_at'> | undefined)[] {
  const { swipe_info } = message
  if (!Array.isArray(swipe_info)) return []
  reading.judge('taken', message, 'swipe_info', 'About the attempts.')
  reading.open(swipe_info)
  return swipe_info.map((info) => {
    if (!isObject(info)) return undefined
    reading.open(info)
    const created_at = pickTime(reading, info, ['send_date'], 'When it was told')
    return { created_at, reasoning: pickReasoning(reading, info) }
  })
}

function lineType(text: string): 'do' | 'say' | 'story' {
  if (/^> You say "/.test(text)) return 'say'
  return text.startsWith('> You ') ? 'do' : 'story'
}

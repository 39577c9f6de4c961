import { isBlank } from '../../lib/text.ts'
import { MessagePackError, readMessagePack } from './message-pack.ts'

export type Author = 'start' | 'story' | 'ai'

/** A part of a story, and who wrote it; null for whoever wrote what it stands behind. */
export interface WrittenPart {
  author: Author | null
  text: string
}

/** The classes of NovelAI: the document, its history with its nodes, and three kinds of changes. */
const CLASSES = new Set([20, 30, 31, 40, 41, 42])
/** The type of a section with text; others are pictures and rules. */
const TEXT = 1
/** The key under which a section says who wrote it. */
const ORIGINS = 1
/** Authors by their numbers. An edit is part of what it stands in; 10 is an instruction to the model. */
const AUTHORS: Record<number, Author> = { 1: 'story', 2: 'ai', 10: 'story' }

/**
 * The text of a story of version 6 or later, by who wrote it: sections (paragraphs) with their order, in MessagePack as
 * Base64. Undone text is left out. Null where it cannot be read.
 */
export function partsOfDocument(document: string): WrittenPart[] | null {
  try {
    const root = readMessagePack(Buffer.from(document, 'base64'), CLASSES)
    const [sections, order] = [entryOf(root, 'sections'), entryOf(root, 'order')]
    if (!(sections instanceof Map) || !Array.isArray(order)) return null
    return order.flatMap((id) => partsOfSection(sections.get(id)))
  } catch (error) {
    if (error instanceof MessagePackError) return null
    throw error
  }
}

function partsOfSection(section: unknown): WrittenPart[] {
  const text = entryOf(section, 'text')
  if (entryOf(section, 'type') !== TEXT || typeof text !== 'string' || isBlank(text)) return []
  const spans = spansOf(entryOf(entryOf(section, 'meta'), ORIGINS))
  const parts: WrittenPart[] = []
  let at = 0
  for (const { start, end, author } of spans) {
    if (start > at) parts.push({ author: null, text: text.slice(at, start) })
    parts.push({ author, text: text.slice(Math.max(at, start), end) })
    at = Math.max(at, end)
  }
  return [...parts, { author: null, text: `${text.slice(at)}\n\n` }]
}

interface Span {
  start: number
  end: number
  author: Author | null
}

function spansOf(stored: unknown): Span[] {
  const spans = Array.isArray(stored) ? stored : []
  return spans
    .map((span) => {
      const [start, length] = [Number(entryOf(span, 'position')), Number(entryOf(span, 'length'))]
      return { start, end: start + length, author: AUTHORS[Number(entryOf(span, 'data'))] ?? null }
    })
    .filter(({ start, end }) => end > start)
    .sort((one, other) => one.start - other.start)
}

function entryOf(map: unknown, key: unknown): unknown {
  return map instanceof Map ? map.get(key) : undefined
}

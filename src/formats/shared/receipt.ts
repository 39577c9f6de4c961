import type { Receipt, ReceiptLine } from '../../domain/portable/portable.ts'
import { isObject } from '../../lib/objects.ts'

/** What became of a key. */
export type ReceiptList = keyof Receipt

/** An object or a list of a file. */
export type JsonContainer = Record<string, unknown> | unknown[]

interface Judgement {
  bucket: ReceiptList
  note: string
}

/** Lines in one list of the receipt. The last line counts the rest. */
const MOST_LINES = 300
const LONGEST_KEY = 60
const UNREAD: Judgement = { bucket: 'dropped', note: 'Not supported.' }
const NO_ITEM: Judgement = { bucket: 'dropped', note: 'Not a valid item.' }
const OPENED: Judgement = { bucket: 'taken', note: 'See its keys.' }

/**
 * Records what became of every key of a file, so that nothing is lost silently. A key without a note was dropped. What lies
 * below a key shares its fate, unless it was expanded.
 */
export class ReceiptBuilder {
  private readonly judged = new WeakMap<JsonContainer, Map<string, Judgement>>()
  private readonly lines = new Lines()

  /** The last note on a key counts. Items of a list are numbered. */
  note(bucket: ReceiptList, holder: JsonContainer, key: string | number, note: string): void {
    this.expand(holder).set(String(key), { bucket, note })
  }

  /** Reports an object or a list key by key. */
  expand(holder: JsonContainer): Map<string, Judgement> {
    const known = this.judged.get(holder)
    if (known !== undefined) return known
    const keys = new Map<string, Judgement>()
    this.judged.set(holder, keys)
    return keys
  }

  /** The receipt of the whole file. */
  build(root: JsonContainer): Receipt {
    this.walk(root, '', '')
    return this.lines.receipt()
  }

  /** Reports an item of a long list, which is read one by one and never as a part of the whole file. */
  addItem(list: string, position: number, item: JsonContainer): void {
    this.walk(item, `${list}[${position}]`, `${list}[]`)
  }

  private walk(holder: JsonContainer, path: string, pattern: string): void {
    const isList = Array.isArray(holder)
    for (const [key, value] of Object.entries(holder)) {
      const isItem = isList || /^\d+$/.test(key)
      const label = isItem ? `[${key}]` : named(key, path === '')
      const judgement = this.judgementOf(holder, key, value)
      const isOpen = isHolder(value) && this.judged.has(value) && isKept(judgement)
      // Items of a list are not keys: an expanded one is reported through its own keys.
      if (!isItem || !isOpen || this.judged.get(holder)?.has(key))
        this.lines.add(path + label, pattern + (isItem ? '[]' : label), judgement)
      if (isOpen) this.walk(value, path + label, pattern + (isItem ? '[]' : label))
    }
  }

  private judgementOf(holder: JsonContainer, key: string, value: unknown): Judgement {
    const judged = this.judged.get(holder)?.get(key)
    if (judged !== undefined) return judged
    if (isHolder(value) && this.judged.has(value)) return OPENED
    return Array.isArray(holder) ? NO_ITEM : UNREAD
  }
}

interface Line extends Judgement {
  first: string
  pattern: string
  count: number
}

/** Lists items that are alike once, with their count. */
class Lines {
  private readonly lines = new Map<string, Line>()
  private readonly listsOf = new Map<string, Set<ReceiptList>>()
  private readonly more: Record<ReceiptList, number> = { taken: 0, changed: 0, dropped: 0, refused: 0 }
  private readonly sizes: Record<ReceiptList, number> = { taken: 0, changed: 0, dropped: 0, refused: 0 }

  add(path: string, pattern: string, { bucket, note }: Judgement): void {
    const alike = `${bucket}\n${note}\n${pattern}`
    const line = this.lines.get(alike)
    if (line !== undefined) {
      line.count++
      return
    }
    if (this.sizes[bucket] >= MOST_LINES) {
      this.more[bucket]++
      return
    }
    this.sizes[bucket]++
    this.lines.set(alike, { first: path, pattern, bucket, note, count: 1 })
    const buckets = this.listsOf.get(pattern) ?? new Set()
    this.listsOf.set(pattern, buckets.add(bucket))
  }

  receipt(): Receipt {
    const receipt: Receipt = { taken: [], changed: [], dropped: [], refused: [] }
    for (const line of this.lines.values()) receipt[line.bucket].push(this.shown(line))
    for (const [bucket, count] of Object.entries(this.more) as [ReceiptList, number][])
      if (count > 0) receipt[bucket].push({ path: '…', note: `And ${count} more.` })
    return receipt
  }

  // Items of one pattern may be in several lists. Each line then names its first item.
  private shown({ first, pattern, note, count }: Line): ReceiptLine {
    if (count === 1) return { path: first, note }
    const isShared = (this.listsOf.get(pattern)?.size ?? 0) > 1
    return isShared
      ? { path: first, note: `${note} (and ${count - 1} more like it)` }
      : { path: pattern, note: `${note} (${count} places)` }
  }
}

function named(key: string, isFirst: boolean): string {
  const short = key.length > LONGEST_KEY ? `${key.slice(0, LONGEST_KEY)}…` : key
  if (!/^[\p{L}_$][\p{L}\p{N}_$…-]*$/u.test(short)) return `[${JSON.stringify(short)}]`
  return isFirst ? short : `.${short}`
}

function isKept({ bucket }: Judgement): boolean {
  return bucket === 'taken' || bucket === 'changed'
}

function isHolder(value: unknown): value is JsonContainer {
  return isObject(value) || Array.isArray(value)
}

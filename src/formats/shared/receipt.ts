import { isObject } from '../../lib/objects.ts'
import type { Receipt, ReceiptLine } from '../../domain/portable/portable.ts'

/** What became of a key. */
export type Bucket = keyof Receipt

/** Something in a file that has keys or places. */
export type Holder = Record<string, unknown> | unknown[]

interface Judgement {
  bucket: Bucket
  note: string
}

/** Lines in one list; what is more is counted in the last one. */
const MOST_LINES = 300
const LONGEST_KEY = 60
const UNREAD: Judgement = { bucket: 'dropped', note: 'Inglenook has no place for it.' }
const NO_ITEM: Judgement = { bucket: 'dropped', note: 'Not what this list is of.' }
const OPENED: Judgement = { bucket: 'taken', note: 'Read key by key.' }

/**
 * A file while it is read: remembers what became of every key, so that nothing can be lost in silence. A key that nobody
 * has judged was dropped; whatever lies below a judged one went with it, unless it was judged itself.
 */
export class Reading {
  private readonly judged = new Map<Holder, Map<string, Judgement>>()

  /** The last word on a key counts. A place of a list is named by its number. */
  judge(bucket: Bucket, holder: Holder, key: string | number, note: string): void {
    this.open(holder).set(String(key), { bucket, note })
  }

  /** What a holder holds is judged key by key. */
  open(holder: Holder): Map<string, Judgement> {
    const known = this.judged.get(holder)
    if (known !== undefined) return known
    const keys = new Map<string, Judgement>()
    this.judged.set(holder, keys)
    return keys
  }

  /** What became of every key of the file. */
  receipt(root: Holder): Receipt {
    const lines = new Lines()
    this.walk(root, '', '', lines)
    return lines.receipt()
  }

  private walk(holder: Holder, path: string, pattern: string, lines: Lines): void {
    const isList = Array.isArray(holder)
    for (const [key, value] of Object.entries(holder)) {
      const isPlace = isList || /^\d+$/.test(key)
      const said = isPlace ? `[${key}]` : named(key, path === '')
      const judgement = this.judgementOf(holder, key, value)
      const isOpen = isHolder(value) && this.judged.has(value) && isKept(judgement)
      // The places of a list are no keys: one that was read speaks through what it holds.
      if (!isPlace || !isOpen || this.judged.get(holder)?.has(key))
        lines.add(path + said, pattern + (isPlace ? '[]' : said), judgement)
      if (isOpen) this.walk(value, path + said, pattern + (isPlace ? '[]' : said), lines)
    }
  }

  private judgementOf(holder: Holder, key: string, value: unknown): Judgement {
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

/** Names places that are alike once, with their count. */
class Lines {
  private readonly lines = new Map<string, Line>()
  private readonly bucketsOf = new Map<string, Set<Bucket>>()
  private readonly more: Record<Bucket, number> = { taken: 0, changed: 0, dropped: 0, refused: 0 }
  private readonly sizes: Record<Bucket, number> = { taken: 0, changed: 0, dropped: 0, refused: 0 }

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
    const buckets = this.bucketsOf.get(pattern) ?? new Set()
    this.bucketsOf.set(pattern, buckets.add(bucket))
  }

  receipt(): Receipt {
    const receipt: Receipt = { taken: [], changed: [], dropped: [], refused: [] }
    for (const line of this.lines.values()) receipt[line.bucket].push(this.shown(line))
    for (const [bucket, count] of Object.entries(this.more) as [Bucket, number][])
      if (count > 0) receipt[bucket].push({ path: '…', note: `And ${count} more.` })
    return receipt
  }

  // A pattern whose places fared differently would stand in two lists, so each line then names its first place.
  private shown({ first, pattern, note, count }: Line): ReceiptLine {
    if (count === 1) return { path: first, note }
    const isShared = (this.bucketsOf.get(pattern)?.size ?? 0) > 1
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

function isHolder(value: unknown): value is Holder {
  return isObject(value) || Array.isArray(value)
}

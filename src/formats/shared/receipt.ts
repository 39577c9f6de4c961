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
export const MAX_LINES = 300
const LONGEST_NAME = 60
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
    const notes = this.judged.get(holder)
    for (const [key, value] of Object.entries(holder)) {
      const isItem = isList || /^\d+$/.test(key)
      const label = isItem ? `[${key}]` : named(key, path === '')
      const isExpanded = isHolder(value) && this.judged.has(value)
      const judgement = notes?.get(key) ?? (isExpanded ? OPENED : isList ? NO_ITEM : UNREAD)
      const isOpen = isExpanded && (judgement.bucket === 'taken' || judgement.bucket === 'changed')
      // Items of a list are not keys: an expanded one is reported through its own keys.
      if (!isItem || !isOpen || notes?.has(key))
        this.lines.add(path + label, pattern + (isItem ? '[]' : label), judgement)
      if (isOpen) this.walk(value, path + label, pattern + (isItem ? '[]' : label))
    }
  }
}

interface Line extends Judgement {
  first: string
  pattern: string
  count: number
}

/** Something for each list of a receipt. */
export function forEachList<T>(make: () => T): Record<ReceiptList, T> {
  return { taken: make(), changed: make(), dropped: make(), refused: make() }
}

/** Lists items that are alike once, with their count. */
class Lines {
  private readonly lines = new Map<string, Line>()
  private readonly listsOf = new Map<string, Set<ReceiptList>>()
  private readonly more = forEachList(() => 0)
  private readonly sizes = forEachList(() => 0)

  add(path: string, pattern: string, { bucket, note }: Judgement): void {
    const alike = `${bucket}\n${note}\n${pattern}`
    const line = this.lines.get(alike)
    if (line !== undefined) {
      line.count++
      return
    }
    if (this.sizes[bucket] >= MAX_LINES) {
      this.more[bucket]++
      return
    }
    this.sizes[bucket]++
    this.lines.set(alike, { first: path, pattern, bucket, note, count: 1 })
    const buckets = this.listsOf.get(pattern) ?? new Set()
    this.listsOf.set(pattern, buckets.add(bucket))
  }

  receipt(): Receipt {
    const receipt: Receipt = forEachList(() => [])
    for (const lines of this.kinds()) receipt[lines[0].bucket].push(...this.folded(lines))
    for (const [bucket, count] of Object.entries(this.more) as [ReceiptList, number][])
      if (count > 0) receipt[bucket].push({ path: '…', note: `And ${count} more.` })
    return receipt
  }

  /** The lines in order, but those that say the same of keys of one place stand together. */
  private kinds(): Iterable<[Line, ...Line[]]> {
    const kinds = new Map<string, [Line, ...Line[]]>()
    for (const line of this.lines.values()) {
      const { bucket, note, pattern } = line
      const kind = isFolded(line, this.isShared(line))
        ? `${note}\n${placeOf(pattern)}`
        : `${bucket}\n${pattern}\n${note}`
      const known = kinds.get(kind)
      if (known) known.push(line)
      else kinds.set(kind, [line])
    }
    return kinds.values()
  }

  private folded(lines: [Line, ...Line[]]): ReceiptLine[] {
    const [{ note, pattern }] = lines
    if (lines.length < MIN_FOLDED) return lines.map((line) => this.shown(line))
    const place = placeOf(pattern)
    const names = lines.map((line) => line.pattern.slice(place.length).replace(/^\./, ''))
    const dot = place === '' ? '' : '.'
    return Array.from({ length: Math.ceil(names.length / MAX_FOLDED) }, (_, i) => {
      const some = names.slice(i * MAX_FOLDED, (i + 1) * MAX_FOLDED)
      return { path: `${place}${dot}{${some.join(', ')}}`, note: `${note} (${some.length} keys)` }
    })
  }

  private isShared({ pattern }: Line): boolean {
    return (this.listsOf.get(pattern)?.size ?? 0) > 1
  }

  // Items of one pattern may be in several lists. Each line then names its first item.
  private shown(line: Line): ReceiptLine {
    const { first, pattern, note, count } = line
    if (count === 1) return { path: first, note }
    return this.isShared(line)
      ? { path: first, note: `${note} (and ${count - 1} more like it)` }
      : { path: pattern, note: `${note} (${count} places)` }
  }
}

/** Keys of one place with the same note are listed in one line, up to this number. */
const [MIN_FOLDED, MAX_FOLDED] = [3, 40]

// Only skipped keys are grouped: imported ones are listed one by one.
function isFolded({ bucket, pattern }: Line, isShared: boolean): boolean {
  return bucket === 'dropped' && !isShared && /[\p{L}\p{N}_$…-]$/u.test(pattern)
}

/** The path of what holds a key. */
function placeOf(pattern: string): string {
  return pattern.slice(0, Math.max(0, pattern.lastIndexOf('.')))
}

/** A key as it stands in a path. */
function named(key: string, isFirst: boolean): string {
  const short = shortened(key)
  if (!/^[\p{L}_$][\p{L}\p{N}_$…-]*$/u.test(short)) return `[${JSON.stringify(short)}]`
  return isFirst ? short : `.${short}`
}

/** The name of a key or a file, cut if it is long. */
export function shortened(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name
}

function isHolder(value: unknown): value is JsonContainer {
  return isObject(value) || Array.isArray(value)
}

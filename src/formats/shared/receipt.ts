import { addTo, emptyReceipt, type Receipt, type ReceiptSection } from '../../domain/portable/receipt.ts'
import { isObject } from '../../lib/objects.ts'

/** An object or a list of a file. */
export type JsonContainer = Record<string, unknown> | unknown[]

interface Fate {
  section: ReceiptSection
  what: string
}

const LONGEST_NAME = 60
const UNREAD: Fate = { section: 'left', what: 'Not used' }
const NO_ITEM: Fate = { section: 'left', what: 'Not a valid item' }

/**
 * Records what became of every key of a file, so that nothing is lost unsaid. A key that nobody has judged is left out, and one
 * without a value is nothing. What lies below a key shares its fate, unless it was expanded.
 */
export class ReceiptBuilder {
  private readonly fates = new WeakMap<JsonContainer, Map<string, Fate>>()
  private readonly receipt = emptyReceipt()

  /** The last fate of a key counts. Items of a list are numbered. */
  note(section: ReceiptSection, what: string, holder: JsonContainer, ...keys: (string | number)[]): void {
    const fates = this.expand(holder)
    for (const key of keys) fates.set(String(key), { section, what })
  }

  /** Reports an object or a list key by key. */
  expand(holder: JsonContainer): Map<string, Fate> {
    const known = this.fates.get(holder)
    if (known !== undefined) return known
    const fates = new Map<string, Fate>()
    this.fates.set(holder, fates)
    return fates
  }

  build(root: JsonContainer): Receipt {
    this.walk(root, '', UNREAD)
    return this.receipt
  }

  /** Reports an item of a long list, which is read one by one and never as a part of the whole file. */
  addItem(list: string, what: string, item: JsonContainer): void {
    this.add({ section: 'came', what }, list)
    this.walk(item, `${list}[]`, UNREAD)
  }

  /** `above` is the fate of the holder. Each item of a list that comes in counts for it. */
  private walk(holder: JsonContainer, path: string, above: Fate): void {
    const fates = this.fates.get(holder)
    for (const [key, value] of Object.entries(holder)) {
      const isItem = isNumbered(holder, key)
      const place = isItem ? `${path}[]` : path + named(key, path === '')
      const own = fates?.get(key)
      if (own?.section === 'left' || !isHolder(value) || !this.fates.has(value)) {
        const fate = own ?? (isItem ? NO_ITEM : UNREAD)
        if (fate.section !== 'left' || !isUnset(value)) this.add(fate, place)
        continue
      }
      if (own && !isList(value)) this.add(own, place)
      else if (isItem && !own && above !== UNREAD) this.add(above, path)
      this.walk(value, place, own ?? UNREAD)
    }
  }

  private add({ section, what }: Fate, key: string): void {
    addTo(this.receipt, section, { what, count: 1, keys: [key] })
  }
}

/** A key as it stands in a path. */
function named(key: string, isFirst: boolean): string {
  const short = key.length > LONGEST_NAME ? `${key.slice(0, LONGEST_NAME)}…` : key
  if (!/^[\p{L}_$][\p{L}\p{N}_$…-]*$/u.test(short)) return `[${JSON.stringify(short)}]`
  return isFirst ? short : `.${short}`
}

/** Some formats number the items of a list in an object. */
function isNumbered(holder: JsonContainer, key: string): boolean {
  return Array.isArray(holder) || /^\d+$/.test(key)
}

function isList(holder: JsonContainer): boolean {
  const [first = ''] = Object.keys(holder)
  return isNumbered(holder, first)
}

function isHolder(value: unknown): value is JsonContainer {
  return isObject(value) || Array.isArray(value)
}

/** True if nothing is lost where a value has no place. */
export function isUnset(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === ''
  return !value || (isHolder(value) && Object.keys(value).length === 0)
}

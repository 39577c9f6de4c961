import { LIMITS } from '../../domain/limits.ts'
import { clampTags } from '../../domain/scenario.ts'
import { readNumber } from '../../lib/numbers.ts'
import { isObject, ownValue } from '../../lib/objects.ts'
import { cutTo } from '../../lib/text.ts'
import { importRefused } from './import-refused.ts'
import { parseTime } from './parse-time.ts'
import type { JsonContainer, ReceiptBuilder, ReceiptList } from './receipt.ts'

interface TextOptions {
  /** Code points. */
  limit?: number
  /** Accepts a number as text, as careless writers have it. */
  loose?: boolean
}

/**
 * One object of a file. Each method reads one value and notes in the receipt what became of it. `keys` are the names the
 * value goes by: the first usable one counts, and other values are dropped.
 */
export class Fields {
  constructor(
    readonly receipt: ReceiptBuilder,
    readonly source: Record<string, unknown>,
  ) {
    receipt.expand(source)
  }

  has(key: string): boolean {
    return Object.hasOwn(this.source, key)
  }

  /** Notes what became of a key. A key that the object lacks is not mentioned. */
  note(list: ReceiptList, key: string, note: string): void {
    this.receipt.note(list, this.source, key, note)
  }

  /** The object under a key, to be reported key by key; null when there is none. */
  child(key: string): Fields | null {
    const value = ownValue(this.source, key)
    return isObject(value) ? new Fields(this.receipt, value) : null
  }

  /** A text, cut to `limit`; '' without one. */
  text(keys: readonly string[], label: string, { limit = LIMITS.prose, loose }: TextOptions = {}): string {
    const text = this.value(keys, label, (value, key) => {
      const written = loose && typeof value === 'number' ? String(value) : value
      if (typeof written !== 'string') return undefined
      const whole = written.toWellFormed()
      const cut = cutTo(whole, limit)
      if (cut !== whole) this.note('changed', key, `${label}, shortened to ${limit} characters.`)
      else if (written !== value) this.note('changed', key, `${label}: a number, imported as text.`)
      else this.note('taken', key, `${label}.`)
      return cut
    })
    return text ?? ''
  }

  /** A boolean, or 0 or 1 as some writers have it. */
  flag(keys: readonly string[], label: string): boolean {
    const isFlag = (value: unknown) => typeof value === 'boolean' || value === 0 || value === 1
    return Boolean(this.valueIf(keys, label, (value) => (isFlag(value) ? value : undefined)))
  }

  /** A whole number of 0 or more; null without one. */
  count(keys: readonly string[], label: string): number | null {
    return this.valueIf(keys, label, (value) => {
      const number = readNumber(value)
      return number !== null && Number.isSafeInteger(number) && number >= 0 ? number : undefined
    })
  }

  /** A time as ISO 8601 in UTC; null without one. A time without a zone is in UTC. */
  time(keys: readonly string[], label: string): string | null {
    return this.valueIf(keys, label, (value) => parseTime(value) ?? undefined)
  }

  /** An object, taken as a whole; null without one. */
  object(keys: readonly string[], label: string): Record<string, unknown> | null {
    return this.valueIf(keys, label, (value) => (isObject(value) ? value : undefined))
  }

  /** The objects of a list; null without a list. Throws import_refused as `itemsIn`. */
  list(keys: readonly string[], label: string, max: number): ListItem[] | null {
    const list = this.valueIf(keys, label, (value) => (Array.isArray(value) ? value : undefined))
    const key = keys.find((one) => this.source[one] === list)
    return list && itemsIn(this.receipt, list, max, key)
  }

  /** Tags as one text, cut at a comma. A list is joined. */
  tags(): string {
    const tags = this.value(['tags'], 'Tags', (value, key) => {
      const joined = Array.isArray(value) ? strings(value).join(', ') : value
      if (typeof joined !== 'string') return undefined
      const whole = joined.toWellFormed()
      const cut = clampTags(whole)
      if (cut === whole) this.note('taken', key, 'Tags.')
      else this.note('changed', key, `Tags, shortened to ${LIMITS.tags} characters.`)
      return cut
    })
    return tags ?? ''
  }

  /** A value that `parse` accepts; null without one. */
  valueIf<T>(keys: readonly string[], label: string, parse: (value: unknown) => T | undefined): T | null {
    const found = this.value(keys, label, (value, key) => {
      const parsed = parse(value)
      if (parsed !== undefined) this.note('taken', key, `${label}.`)
      return parsed
    })
    return found ?? null
  }

  /** A value that `parse` accepts, which also notes it; undefined without one. */
  value<T>(
    keys: readonly string[],
    label: string,
    parse: (value: unknown, key: string) => T | undefined,
  ): T | undefined {
    let found: T | undefined
    for (const key of keys) {
      const value = ownValue(this.source, key)
      if (value === undefined) continue
      if (found !== undefined) this.note('dropped', key, `${label}: another key is used instead.`)
      else if (value === null) this.note('taken', key, `${label}: empty.`)
      else {
        found = parse(value, key)
        if (found === undefined) this.note('dropped', key, `${label}: not a usable value.`)
      }
    }
    return found
  }
}

/** An object in a list of a file. */
export interface ListItem {
  fields: Fields
  /** In the list, from 0. */
  position: number
  /** Notes that the whole object is left out. */
  drop: (note: string) => void
}

/**
 * The objects of a list; the receipt drops everything else in it. Some formats number their items in an object instead.
 * Throws import_refused when there are more than `max`.
 */
export function itemsIn(
  receipt: ReceiptBuilder,
  list: JsonContainer,
  max: number,
  name?: string,
): ListItem[] {
  receipt.expand(list)
  const keys = Object.keys(list)
  if (keys.length > max)
    throw importRefused(
      `This file cannot be read: ${name === undefined ? 'it has a list' : `its list “${name}” is`} of more than ${max} items.`,
    )
  return keys.flatMap((key) => {
    const item = ownValue(list as Record<string, unknown>, key)
    if (!isObject(item)) return []
    const drop = (note: string) => receipt.note('dropped', list, key, note)
    return [{ fields: new Fields(receipt, item), position: Number(key), drop }]
  })
}

/** The texts of a list; numbers count as texts. */
export function strings(list: readonly unknown[]): string[] {
  return list.flatMap((value) =>
    typeof value === 'string' ? [value.toWellFormed()] : typeof value === 'number' ? [String(value)] : [],
  )
}

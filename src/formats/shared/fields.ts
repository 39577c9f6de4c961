import { LIMITS } from '../../domain/limits.ts'
import type { ReceiptSection } from '../../domain/portable/receipt.ts'
import { clampTags } from '../../domain/scenario.ts'
import { readNumber } from '../../lib/numbers.ts'
import { isObject, ownValue } from '../../lib/objects.ts'
import { cutTo } from '../../lib/text.ts'
import { importRefused } from './import-refused.ts'
import { parseTime } from './parse-time.ts'
import type { JsonContainer, ReceiptBuilder } from './receipt.ts'

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
    /** The object of the file that holds a key, where `source` was put together from several. */
    private readonly holderOf: (key: string) => Record<string, unknown> = () => source,
  ) {
    receipt.expand(source)
  }

  has(key: string): boolean {
    return Object.hasOwn(this.source, key)
  }

  /** Notes what keys are that come in. Keys that the object lacks are not mentioned. */
  came(what: string, ...keys: string[]): void {
    this.note('came', what, keys)
  }

  /** Notes what keys are that come in, and what of them is changed. */
  changed(what: string, ...keys: string[]): void {
    this.note('changed', what, keys)
  }

  /** Notes why keys have no place here. */
  left(why: string, ...keys: string[]): void {
    this.note('left', why, keys)
  }

  private note(section: ReceiptSection, what: string, keys: readonly string[]): void {
    for (const key of keys) this.receipt.note(section, what, this.holderOf(key), key)
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
      if (cut !== whole) this.changed(`${label}, shortened to ${limit} characters`, key)
      else if (written !== value) this.changed(`${label}: a number, imported as text`, key)
      return cut
    })
    return text ?? ''
  }

  /** A boolean, or 0 or 1 as some writers have it. */
  flag(keys: readonly string[], label: string): boolean {
    const isFlag = (value: unknown) => typeof value === 'boolean' || value === 0 || value === 1
    return Boolean(this.value(keys, label, (value) => (isFlag(value) ? value : undefined)))
  }

  /** A whole number of 0 or more; null without one. */
  count(keys: readonly string[], label: string): number | null {
    return this.value(keys, label, (value) => {
      const number = readNumber(value)
      return number !== null && Number.isSafeInteger(number) && number >= 0 ? number : undefined
    })
  }

  /** A time as ISO 8601 in UTC; null without one. A time without a zone is in UTC. */
  time(keys: readonly string[], label: string): string | null {
    return this.value(keys, label, (value) => parseTime(value) ?? undefined)
  }

  /** An object, taken as a whole; null without one. */
  object(keys: readonly string[], label: string): Record<string, unknown> | null {
    return this.value(keys, label, (value) => (isObject(value) ? value : undefined))
  }

  /** The objects of a list; null without a list. Throws import_refused as `itemsIn`. */
  list(keys: readonly string[], label: string, max: number): ListItem[] | null {
    const list = this.value(keys, label, (value) => (Array.isArray(value) ? value : undefined))
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
      if (cut !== whole) this.changed(`Tags, shortened to ${LIMITS.tags} characters`, key)
      return cut
    })
    return tags ?? ''
  }

  /** A value that `parse` accepts, which comes in unless `parse` notes something else; null without one. */
  value<T>(
    keys: readonly string[],
    label: string,
    parse: (value: unknown, key: string) => T | undefined,
  ): T | null {
    let found: T | undefined
    for (const key of keys) {
      const value = ownValue(this.source, key)
      if (value === undefined || value === null) continue
      if (found !== undefined) this.left(`${label}: another key is used instead`, key)
      else {
        this.came(label, key)
        found = parse(value, key)
        if (found === undefined) this.left(`${label}: not a usable value`, key)
      }
    }
    return found ?? null
  }
}

/** An object in a list of a file. */
export interface ListItem {
  fields: Fields
  /** In the list, from 0. */
  position: number
  /** Notes that the whole object is left out, and why. */
  drop: (why: string) => void
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
    const drop = (why: string) => receipt.note('left', why, list, key)
    return [{ fields: new Fields(receipt, item), position: Number(key), drop }]
  })
}

/** The texts of a list; numbers count as texts. */
export function strings(list: readonly unknown[]): string[] {
  return list.flatMap((value) =>
    typeof value === 'string' ? [value.toWellFormed()] : typeof value === 'number' ? [String(value)] : [],
  )
}

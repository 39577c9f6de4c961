import { LIMITS } from '../../limits.ts'
import { clampTags } from '../../scenario.ts'
import { cutTo } from '../../../lib/text.ts'
import { readNumber } from '../../../lib/numbers.ts'
import { isObject, ownValue } from '../../../lib/objects.ts'
import type { Holder, Reading } from '../../../formats/shared/receipt.ts'
import { refused } from '../../../formats/shared/import-refused.ts'
import { isoFrom } from '../../../formats/shared/parse-time.ts'

// Each of these takes one thing out of a holder of a file and says in the receipt what became of it. `keys` are the names
// that it goes by: the first that can be used counts.

type Keyed = Record<string, unknown>

/** A text, cut to `limit` code points; '' without one. `loose`: a number is a text too, as sloppy writers have it. */
export function pickText(
  reading: Reading,
  holder: Keyed,
  keys: readonly string[],
  label: string,
  { limit = LIMITS.prose, loose = false }: { limit?: number; loose?: boolean } = {},
): string {
  return (
    pick(reading, holder, keys, label, (value, key) => {
      const written = loose && typeof value === 'number' ? String(value) : value
      if (typeof written !== 'string') return undefined
      const whole = written.toWellFormed()
      const text = cutTo(whole, limit)
      if (text !== whole)
        reading.judge('changed', holder, key, `${label}, cut to ${limit} characters, the most it may have.`)
      else if (written !== value)
        reading.judge('changed', holder, key, `${label}: a number, taken as a text.`)
      else reading.judge('taken', holder, key, `${label}.`)
      return text
    }) ?? ''
  )
}

/** Yes or no; `otherwise` without it. Some writers say 0 and 1. */
export function pickFlag(
  reading: Reading,
  holder: Keyed,
  keys: readonly string[],
  label: string,
  otherwise: boolean,
): boolean {
  const flag = pick(reading, holder, keys, label, (value, key) => {
    if (typeof value !== 'boolean' && value !== 0 && value !== 1) return undefined
    reading.judge('taken', holder, key, `${label}.`)
    return Boolean(value)
  })
  return flag ?? otherwise
}

/** A whole number of 0 or more; null without one. */
export function pickCount(
  reading: Reading,
  holder: Keyed,
  keys: readonly string[],
  label: string,
): number | null {
  const count = pick(reading, holder, keys, label, (value, key) => {
    const number = readNumber(value)
    if (number === null || !Number.isSafeInteger(number) || number < 0) return undefined
    reading.judge('taken', holder, key, `${label}.`)
    return number
  })
  return count ?? null
}

/** A time, as ISO 8601 in UTC; null without one. One without a zone means UTC, a number seconds or milliseconds. */
export function pickTime(
  reading: Reading,
  holder: Keyed,
  keys: readonly string[],
  label: string,
): string | null {
  const time = pick(reading, holder, keys, label, (value, key) => {
    const iso = isoFrom(value)
    if (iso === null) return undefined
    reading.judge('taken', holder, key, `${label}.`)
    return iso
  })
  return time ?? null
}

/** An object that is taken as it is; null without one. */
export function pickObject(
  reading: Reading,
  holder: Keyed,
  keys: readonly string[],
  label: string,
): Record<string, unknown> | null {
  const object = pick(reading, holder, keys, label, (value, key) => {
    if (!isObject(value)) return undefined
    reading.judge('taken', holder, key, `${label}.`)
    return value
  })
  return object ?? null
}

/** The objects of a list; what else stands in it is dropped. Null without a list. Throws import_refused as `itemsOf`. */
export function pickList(
  reading: Reading,
  holder: Keyed,
  keys: readonly string[],
  label: string,
  most: number,
): Items | null {
  const found = pick(reading, holder, keys, label, (value, key) => {
    if (!Array.isArray(value)) return undefined
    reading.judge('taken', holder, key, `${label}.`)
    return value
  })
  return found === undefined ? null : itemsOf(reading, found, most)
}

/**
 * The objects of a list with their places in it. Some formats number their items in an object instead. Throws
 * import_refused when there are more than `most`: nothing that anybody uses has so many.
 */
export function itemsOf(reading: Reading, list: Holder, most: number): Items {
  reading.open(list)
  const places = Object.keys(list)
  if (places.length > most) throw refused(`This file has a list of more than ${most}. It is not read.`)
  const items = places.flatMap((place) => {
    const item = ownValue(list as Keyed, place)
    return isObject(item) ? [{ item, place }] : []
  })
  for (const { item } of items) reading.open(item)
  return { list, items }
}

/** The objects of a list that are looked at. */
export interface Items {
  list: Holder
  items: { item: Keyed; place: string }[]
}

/** Tags as one text of at most 500 code points, cut at a comma. A list is joined. */
export function pickTags(reading: Reading, holder: Keyed, keys: readonly string[]): string {
  return (
    pick(reading, holder, keys, 'Tags', (value, key) => {
      const joined = Array.isArray(value) ? strings(value).join(', ') : value
      if (typeof joined !== 'string') return undefined
      const whole = joined.toWellFormed()
      const tags = clampTags(whole)
      if (tags !== whole)
        reading.judge('changed', holder, key, `Tags, cut at a comma to ${LIMITS.tags} characters.`)
      else reading.judge('taken', holder, key, 'Tags.')
      return tags
    }) ?? ''
  )
}

/** The first of some keys that `take` can use; undefined without one. Others of the same meaning are dropped. */
export function pick<T>(
  reading: Reading,
  holder: Keyed,
  keys: readonly string[],
  label: string,
  take: (value: unknown, key: string) => T | undefined,
): T | undefined {
  let taken: T | undefined
  for (const key of keys) {
    const value = ownValue(holder, key)
    if (value === undefined) continue
    if (taken !== undefined) reading.judge('dropped', holder, key, `${label}: another key says it already.`)
    else if (value === null) reading.judge('taken', holder, key, `${label}: empty.`)
    else {
      taken = take(value, key)
      if (taken === undefined)
        reading.judge('dropped', holder, key, `${label}: not of a kind that can be used.`)
    }
  }
  return taken
}

/** The texts of a list; numbers count as texts. */
export function strings(list: readonly unknown[]): string[] {
  return list.flatMap((one) =>
    typeof one === 'string' ? [one.toWellFormed()] : typeof one === 'number' ? [String(one)] : [],
  )
}

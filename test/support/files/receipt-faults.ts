import { expect } from 'bun:test'
import type { Receipt } from '../../../src/domain/portable/portable.ts'
import type { ReceiptList } from '../../../src/formats/shared/receipt.ts'
import { isObject } from '../../../src/lib/objects.ts'

export const BUCKETS: ReceiptList[] = ['taken', 'changed', 'dropped', 'refused']

const lines = (receipt: Receipt) =>
  BUCKETS.flatMap((bucket) => receipt[bucket].flatMap(unfolded).map((line) => ({ bucket, ...line })))

/** A line that tells of several keys of one place, as one line for each. */
export function unfolded({ path, note }: Receipt['dropped'][number]): { path: string; note: string }[] {
  const [, place, names, count] =
    /^(.*)\{(.*)\} (\d+)$/.exec(`${path} ${/\((\d+) keys\)$/.exec(note)?.[1]}`) ?? []
  if (place === undefined || names === undefined) return [{ path, note }]
  const keys = names.split(', ')
  expect(keys).toHaveLength(Number(count))
  return keys.map((key) => ({ path: place + key, note }))
}

/** How many places a line speaks of. */
function countOf(note: string): number {
  const [, places, more] = /\((?:(\d+) places|and (\d+) more like it)\)$/.exec(note) ?? []
  return places ? Number(places) : 1 + Number(more ?? 0)
}

const pattern = (path: string) => path.replace(/\[\d+\]/g, '[]')

/** Every key of a file, by the pattern of its path. Places of lists are left out: they are no keys. */
function keysOf(value: unknown, path = ''): string[] {
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const isPlace = Array.isArray(value) || /^\d+$/.test(key)
    const at = isPlace ? `${path}[]` : `${path}${named(key, path === '')}`
    return [...(isPlace ? [] : [at]), ...keysOf(inner, at)]
  })
}

function named(key: string, isFirst: boolean): string {
  const short = key.length > 60 ? `${key.slice(0, 60)}…` : key
  if (!/^[\p{L}_$][\p{L}\p{N}_$…-]*$/u.test(short)) return `[${JSON.stringify(short)}]`
  return isFirst ? short : `.${short}`
}

/** Everything that is wrong with a receipt of a file. */
export function faultsOf(file: unknown, receipt: Receipt): string[] {
  const said = lines(receipt)
  const bucketsOf = new Map<string, Set<ReceiptList>>()
  for (const { path, bucket } of said) bucketsOf.set(path, (bucketsOf.get(path) ?? new Set()).add(bucket))
  const inTwo = [...bucketsOf]
    .filter(([path, buckets]) => path !== '…' && buckets.size > 1)
    .map(([path]) => path)
  const counts = new Map<string, number>()
  for (const { path, note } of said)
    counts.set(pattern(path), (counts.get(pattern(path)) ?? 0) + countOf(note))
  const there = new Map<string, number>()
  for (const key of keysOf(file)) there.set(key, (there.get(key) ?? 0) + 1)
  const tooOften = [...there].filter(([key, count]) => (counts.get(key) ?? 0) > count).map(([key]) => key)
  const top = isObject(file) ? Object.keys(file).map((key) => named(key, true)) : []
  const notOnce = top.filter((key) => counts.get(key) !== 1)
  // A key that is not named went with something above it that is.
  const lost = [...there.keys()].filter((key) => !prefixesOf(key).some((prefix) => counts.has(prefix)))
  const mute = said.filter(({ note }) => note.trim() === '' || !/[.)]$/.test(note)).map(({ path }) => path)
  return [
    ...inTwo.map((path) => `${path} is in two lists`),
    ...tooOften.map((path) => `${path} is counted more often than it is there`),
    ...notOnce.map((path) => `${path} is not named exactly once`),
    ...lost.map((path) => `${path} is in no list`),
    ...mute.map((path) => `${path} has no sentence`),
  ]
}

function prefixesOf(path: string): string[] {
  const parts = path.match(/\[\]|\["(?:[^"\\]|\\.)*"\]|\.?[^.[\]]+/g) ?? []
  return parts.map((_, i) => parts.slice(0, i + 1).join(''))
}

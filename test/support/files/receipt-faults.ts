import type { Receipt } from '../../../src/domain/portable/receipt.ts'
import { isObject } from '../../../src/lib/objects.ts'

/** Every place of a file with a value, by the pattern of its path. */
function placesOf(value: unknown, path = ''): string[] {
  if (typeof value === 'string' ? value.trim() === '' : !value) return []
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([key, inner]) => {
    const isItem = Array.isArray(value) || /^\d+$/.test(key)
    return placesOf(inner, isItem ? `${path}[]` : `${path}${named(key, path === '')}`)
  })
}

function named(key: string, isFirst: boolean): string {
  const short = key.length > 60 ? `${key.slice(0, 60)}…` : key
  if (!/^[\p{L}_$][\p{L}\p{N}_$…-]*$/u.test(short)) return `[${JSON.stringify(short)}]`
  return isFirst ? short : `.${short}`
}

/** The keys that a section of a receipt names. */
export const keysIn = (entries: Receipt['left']) => entries.flatMap(({ keys }) => keys)

/** The sections of a receipt that name a key. */
export const sectionsNaming = (receipt: Receipt, key: string) =>
  Object.entries(receipt).flatMap(([section, entries]) => (keysIn(entries).includes(key) ? [section] : []))

/** Everything that is wrong with a receipt of a file. */
export function faultsOf(file: unknown, receipt: Receipt): string[] {
  const sections = Object.values(receipt)
  const said = new Set(sections.flatMap(keysIn))
  const top = isObject(file) ? Object.keys(file).map((key) => named(key, true)) : []
  const twice = sections.flatMap((entries) =>
    entries.filter(({ what }, i) => entries.findIndex((one) => one.what === what) !== i),
  )
  const mute = sections.flat().filter(({ what, count, keys }) => !what || count < 1 || keys.length === 0)
  // A key that is not named went with something above it that is.
  const places = typeof file === 'object' ? placesOf(file) : []
  const lost = places.filter((place) => !prefixesOf(place).some((prefix) => said.has(prefix)))
  const inTwo = top.filter((key) => sections.flat().filter(({ keys }) => keys.includes(key)).length > 1)
  return [
    ...twice.map(({ what }) => `${what} is said twice`),
    ...mute.map((entry) => `${JSON.stringify(entry)} says nothing`),
    ...lost.map((place) => `${place} is lost unsaid`),
    ...inTwo.map((key) => `${key} is said to be two things`),
  ]
}

function prefixesOf(path: string): string[] {
  const parts = path.match(/\[\]|\["(?:[^"\\]|\\.)*"\]|\.?[^.[\]]+/g) ?? []
  return parts.map((_, i) => parts.slice(0, i + 1).join(''))
}

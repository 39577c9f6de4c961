import { type Static, Type } from '@sinclair/typebox'

const ReceiptEntry = Type.Object({
  what: Type.String({ description: 'What it is, or why it is left out' }),
  count: Type.Integer({ description: 'How often the file has it' }),
  keys: Type.Array(Type.String(), {
    description: 'Where it stands, such as `entries[].comment`; `…` for further places',
  }),
})
type ReceiptEntry = Static<typeof ReceiptEntry>

/** Report of an import. A section names each thing once. */
export const Receipt = Type.Object(
  {
    came: Type.Array(ReceiptEntry, { description: 'Imported as it is' }),
    changed: Type.Array(ReceiptEntry, { description: 'Imported in another form' }),
    left: Type.Array(ReceiptEntry, { description: 'What has no place here' }),
  },
  { description: 'What happens to everything in the file; what has no value is not mentioned' },
)
export type Receipt = Static<typeof Receipt>
export type ReceiptSection = keyof Receipt

/** The sections as a player reads them, what is lost first. */
const TITLES: [section: ReceiptSection, title: string][] = [
  ['left', 'Left out'],
  ['changed', 'Changed'],
  ['came', 'Imported as is'],
]

/** Entries of a section, and places of an entry. Further ones are only counted. */
const [MAX_ENTRIES, MAX_KEYS] = [100, 100]
const MORE = '…'

export function emptyReceipt(): Receipt {
  return { came: [], changed: [], left: [] }
}

export function addTo(receipt: Receipt, section: ReceiptSection, { what, count, keys }: ReceiptEntry): void {
  const entries = receipt[section]
  const known = entries.find((one) => one.what === what)
  if (!known && entries.length < MAX_ENTRIES) {
    entries.push({ what, count, keys: [...keys] })
    return
  }
  const entry = known ?? entryOfMore(entries)
  entry.count += count
  for (const key of keys)
    if (!entry.keys.includes(key) && entry.keys.length <= MAX_KEYS)
      entry.keys.push(entry.keys.length < MAX_KEYS ? key : MORE)
}

function entryOfMore(entries: ReceiptEntry[]): ReceiptEntry {
  const more = entries.find(({ what }) => what === MORE) ?? { what: MORE, count: 0, keys: [] }
  if (more.count === 0) entries.push(more)
  return more
}

export function addReceipt(receipt: Receipt, added: Receipt): void {
  for (const [section] of TITLES) for (const entry of added[section]) addTo(receipt, section, entry)
}

/** Number of things of a file that have no place here. */
export function countLeft({ left }: Receipt): number {
  return left.reduce((sum, { count }) => sum + count, 0)
}

export function sectionsOf(receipt: Receipt) {
  return TITLES.filter(([section]) => receipt[section].length > 0).map(([section, title]) => ({
    section,
    title: `${title} (${receipt[section].length})`,
    lines: receipt[section].map(({ what, count, keys }) => ({
      words: count === 1 ? what : `${what} (${count})`,
      keys: keys.join(', '),
    })),
  }))
}

import type { Receipt, ReceiptLine } from '../../domain/portable/portable.ts'
import { forEachList, MAX_LINES, type ReceiptList, shortened } from './receipt.ts'

/** Names of files in one line. */
const MAX_NAMED = 40
/** What a line of one file's receipt says of how often it occurs. */
const COUNT = / \((?:and \d+ more like it|\d+ places)\)$/

const LISTS: readonly ReceiptList[] = ['taken', 'changed', 'dropped', 'refused']

/** The receipts of files that are imported together, as one: each file has a line, and what several of them say is listed once. */
export class ReceiptOfFiles {
  private readonly files = forEachList(() => new Map<string, string[]>())
  private readonly lines = forEachList(() => new Map<string, { line: ReceiptLine; files: number }>())

  /** Notes what became of a file as a whole. */
  note(bucket: ReceiptList, name: string, note: string): void {
    const names = this.files[bucket]
    names.set(note, [...(names.get(note) ?? []), name])
  }

  add(name: string, receipt: Receipt): void {
    this.note('taken', name, 'See its keys below.')
    for (const bucket of LISTS) for (const line of alike(receipt[bucket])) this.count(bucket, line)
  }

  /** The files that are refused as a whole, by their reasons. */
  rejected(): { reason: string; names: string[] }[] {
    return [...this.files.refused].map(([reason, names]) => ({ reason, names }))
  }

  build(): Receipt {
    const receipt: Receipt = forEachList(() => [])
    for (const bucket of LISTS) {
      const keys = [...this.lines[bucket].values()].map(({ line, files }) => ({
        path: line.path,
        note: files === 1 ? line.note : `${line.note} (${files} files)`,
      }))
      const lines = [...[...this.files[bucket]].flatMap(([note, names]) => linesFor(names, note)), ...keys]
      receipt[bucket] = lines.slice(0, MAX_LINES)
      const more = lines.length - MAX_LINES
      if (more > 0) receipt[bucket].push({ path: '…', note: `And ${more} more.` })
    }
    return receipt
  }

  private count(bucket: ReceiptList, line: ReceiptLine): void {
    const key = `${line.path}\n${line.note}`
    const known = this.lines[bucket].get(key)
    if (known) known.files++
    else if (this.lines[bucket].size < 2 * MAX_LINES) this.lines[bucket].set(key, { line, files: 1 })
  }
}

/** The lines of a receipt without counts and positions in lists, each once. */
function alike(lines: readonly ReceiptLine[]): ReceiptLine[] {
  const plain = lines.map(({ path, note }) => ({
    path: path.replace(/\[\d+\]/g, '[]'),
    note: note.replace(COUNT, ''),
  }))
  return [...new Map(plain.map((line) => [`${line.path}\n${line.note}`, line])).values()]
}

function linesFor(names: readonly string[], note: string): ReceiptLine[] {
  if (names.length < 3) return names.map((name) => ({ path: shortened(name), note }))
  return Array.from({ length: Math.ceil(names.length / MAX_NAMED) }, (_, i) => {
    const some = names.slice(i * MAX_NAMED, (i + 1) * MAX_NAMED)
    return {
      path: some.map(shortened).join(', '),
      note: `${note} (${some.length} files)`,
    }
  })
}

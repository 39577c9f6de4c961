import type { FileKind, Receipt, ReceiptLine } from '../../../src/domain/portable/portable.ts'
import { parseFile } from '../../../src/formats/detect.ts'
import type { Sample } from '../../formats/samples.ts'
import { BUCKETS, unfolded } from './receipt-faults.ts'

/** What becomes of the keys of a format: by the pattern of a key its fates, each once. */
export type Fates = Map<string, Set<string>>

const WORDS: Record<keyof Receipt, string> = {
  taken: '',
  changed: 'changed: ',
  dropped: 'left out: ',
  refused: 'cannot be imported: ',
}
/** What tells how often a key occurs, and numbers and names that only a sample has. */
const COUNT = / \((?:and \d+ more like it|\d+ places|\d+ keys)\)/

/** What is true of any key: that it has no usable value, or that nobody knows it. */
const ALWAYS_TRUE =
  /: (empty|not a usable value|another key is used instead|a number, imported as text)$|^(Not supported|Not a valid item|Not set)$|, shortened to \d+ characters$/

/** The fates of all keys in some samples, by their formats. */
export function fatesOf(samples: readonly Sample[]): Map<FileKind, Fates> {
  const kinds = new Map<FileKind, Fates>()
  for (const { name, kind, bytes } of samples) {
    const fates = kinds.get(kind) ?? new Map()
    kinds.set(kind, fates)
    const { receipt } = parseFile(bytes, name)
    for (const bucket of BUCKETS)
      for (const line of receipt[bucket].flatMap(unfolded)) addFate(fates, line, WORDS[bucket])
  }
  return kinds
}

function addFate(fates: Fates, { path, note }: ReceiptLine, word: string): void {
  const key = path.replace(/\[\d+\]/g, '[]')
  const plain = note.replace(COUNT, '').replace(/\.$/, '')
  if (ALWAYS_TRUE.test(plain)) return
  fates.set(key, (fates.get(key) ?? new Set()).add(word + plain))
}

/** The same as tables of Markdown, a heading for each format. */
export function keyTables(samples: readonly Sample[]): string {
  return [...fatesOf(samples)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, fates]) => `### \`${kind}\`\n\n${tableOf(fates)}\n`)
    .join('\n')
}

function tableOf(fates: Fates): string {
  const rows = [...fates].sort(([a], [b]) => (a < b ? -1 : 1))
  const cells = rows.map(([key, all]) => [`\`${cell(key)}\``, [...all].sort().map(cell).join('; ')] as const)
  return aligned([['Key', 'What becomes of it'], ...cells])
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}

function aligned(rows: readonly (readonly [string, string])[]): string {
  const [head, ...body] = rows.map(([key, fate]) => `| ${key} | ${fate} |`)
  return [head, '| --- | --- |', ...body].join('\n')
}

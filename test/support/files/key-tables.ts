import type { FileKind } from '../../../src/domain/portable/portable.ts'
import type { ReceiptSection } from '../../../src/domain/portable/receipt.ts'
import { parseFile } from '../../../src/formats/detect.ts'
import type { Sample } from '../../formats/samples.ts'

/** What becomes of the keys of a format: by the pattern of a key its fates, each once. */
export type Fates = Map<string, Set<string>>

const WORDS: Record<ReceiptSection, string> = { came: '', changed: 'changed: ', left: 'left out: ' }

/** What is true of any key: that it has no usable value, or that nobody knows it. */
const ALWAYS_TRUE =
  /: (not a usable value|another key is used instead|a number, imported as text)$|^(Not used|Not a valid item)$|, shortened to \d+ characters$/

/** The fates of all keys in some samples, by their formats. */
export function fatesOf(samples: readonly Sample[]): Map<FileKind, Fates> {
  const kinds = new Map<FileKind, Fates>()
  for (const { name, kind, bytes } of samples) {
    const fates: Fates = kinds.get(kind) ?? new Map()
    kinds.set(kind, fates)
    for (const [section, entries] of Object.entries(parseFile(bytes, name).receipt))
      for (const { what, keys } of entries)
        for (const key of ALWAYS_TRUE.test(what) ? [] : keys)
          fates.set(key, (fates.get(key) ?? new Set()).add(WORDS[section as ReceiptSection] + what))
  }
  return kinds
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

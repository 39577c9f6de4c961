import { isByaf } from '../byaf/byaf-files.ts'
import { isDocument } from '../document/document-text.ts'
import { importRefused } from '../shared/import-refused.ts'
import type { ByteSource } from './byte-source.ts'
import { isZip, readZip, type ZipError, type ZipFile } from './read-zip.ts'

/** The reasons why an archive is not read, for the player. */
export const ZIP_SENTENCES: Record<ZipError, string> = {
  broken: 'This zip archive is broken or cut off.',
  'too large': 'This zip archive holds more, or more tightly packed, than an import may.',
}

/** A file that makes an archive a character card. */
const CARD = 'card.json'
/** Files that programs leave beside those of a folder. */
const LITTER = /(^|\/)(__MACOSX\/|\.[^./]|Thumbs\.db$|desktop\.ini$)/i

/**
 * The files of an archive that holds several; null for any other file, also for a format that is an archive itself. Throws
 * import_refused for an archive that is broken or holds too much.
 */
export function archivedFiles(source: ByteSource): ZipFile[] | null {
  if (!isZip(source.read(0, 4))) return null
  const files = readZip(source)
  if (typeof files === 'string') throw importRefused(ZIP_SENTENCES[files])
  if (files.some(({ name }) => name === CARD) || isByaf(files) || isDocument(files)) return null
  return files.filter(({ name }) => !name.endsWith('/') && !isLitter(name))
}

export function isLitter(name: string): boolean {
  return LITTER.test(name)
}

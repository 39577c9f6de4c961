import { linesOf, readStored, unpackedFile } from '../../db/uploads/stored-file.ts'
import { MAX_IMPORT_BYTES, MAX_IMPORT_FILES } from '../../domain/limits.ts'
import type { ImportPlan, PortableActions } from '../../domain/portable/portable.ts'
import { parseFile } from '../../formats/detect.ts'
import { MAX_BUNDLE_LINE, MAX_BUNDLE_RATIO } from '../../formats/import-limits.ts'
import { isBundle } from '../../formats/inglenook/is-bundle.ts'
import { parseBundle } from '../../formats/inglenook/parse-bundle.ts'
import { importRefused } from '../../formats/shared/import-refused.ts'
import { archivedFiles, isLitter } from '../../formats/zip/archived-files.ts'
import { type ByteSource, bytesInMemory } from '../../formats/zip/byte-source.ts'
import { type AnyUpload, filesOf, type StoredUpload, type Upload } from '../runtime/uploads.ts'

/** A file of an upload, or of an archive in it. */
export interface ImportedFile {
  name: string
  /** Reads it. Throws import_refused. */
  plan: () => Promise<ImportPlan<PortableActions>>
}

/** The files of an upload; null if it is a single file. Throws import_refused for an archive of an unknown kind. */
export function listFiles(upload: AnyUpload): ImportedFile[] | null {
  const files = filesOf(upload)
  const [first] = files
  const listed =
    files.length === 1 && first
      ? membersOf(first)
      : files.flatMap((file) => membersOf(file) ?? [asFile(file)])
  if (listed && listed.length > MAX_IMPORT_FILES)
    throw importRefused(
      `These are more than ${MAX_IMPORT_FILES} files, the most that can be imported at once.`,
    )
  return listed?.filter(({ name }) => !isLitter(name)) ?? null
}

/** The plan of an upload that is a single file. Throws import_refused. */
export function planFile(upload: AnyUpload): Promise<ImportPlan<PortableActions>> {
  const [file] = filesOf(upload)
  if (!file) throw importRefused('No file was chosen.')
  return asFile(file).plan()
}

function membersOf(file: Upload | StoredUpload): ImportedFile[] | null {
  const members = archivedFiles(sourceOf(file))
  return (
    members?.map(({ name, read }) => ({
      name,
      plan: async () => parseMember(name, read()),
    })) ?? null
  )
}

function parseMember(name: string, bytes: Uint8Array | null): ImportPlan<PortableActions> {
  if (bytes) return parseFile(bytes, name)
  throw importRefused('This file of the archive is damaged, encrypted or larger than 20 MB.')
}

function asFile(file: Upload | StoredUpload): ImportedFile {
  return {
    name: file.name,
    plan: async () => ('path' in file ? planStored(file) : parseFile(file.bytes, file.name)),
  }
}

async function planStored(file: StoredUpload): Promise<ImportPlan<PortableActions>> {
  const size = file.to - file.from
  if (size <= MAX_IMPORT_BYTES) return parseFile(readStored(file, 0, size), file.name)
  if (!isBundle(readStored(file, 0, 100)))
    return parseFile(readStored(file, 0, MAX_IMPORT_BYTES + 1), file.name)
  const plain = await unpackedFile(file, MAX_BUNDLE_RATIO)
  return parseBundle(() => linesOf(plain, MAX_BUNDLE_LINE))
}

function sourceOf(file: Upload | StoredUpload): ByteSource {
  if (!('path' in file)) return bytesInMemory(file.bytes)
  return { size: file.to - file.from, read: (at, length) => readStored(file, at, length) }
}

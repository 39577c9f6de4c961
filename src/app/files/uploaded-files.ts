import { readStored, type StoredFile, unpackedFile } from '../../db/stored-file.ts'
import { MAX_IMPORT_BYTES, MAX_IMPORT_FILES } from '../../domain/limits.ts'
import type { ImportPlan, PortableActions } from '../../domain/portable/portable.ts'
import { parseFile } from '../../formats/detect.ts'
import { MAX_BUNDLE_RATIO } from '../../formats/import-limits.ts'
import { isBundle } from '../../formats/inglenook/is-bundle.ts'
import { importRefused } from '../../formats/shared/import-refused.ts'
import { archivedFiles, isLitter } from '../../formats/zip/archived-files.ts'
import { type ByteSource, bytesInMemory } from '../../formats/zip/byte-source.ts'
import { type AnyUpload, filesOf, type StoredUpload, type Upload } from '../runtime/uploads.ts'
import { parseStory } from './file-plans.ts'

export interface ReadFile {
  plan: ImportPlan<PortableActions>
  /** A story that is too large for memory: its plan reads it from here. */
  story: StoredFile | null
}

/** A file of an upload, or of an archive in it. */
export interface ImportedFile {
  name: string
  /** Throws import_refused. */
  read: () => Promise<ReadFile>
}

/** The files of an upload, and whether it is a single file that is no archive. Throws import_refused. */
export function filesIn(upload: AnyUpload): { files: ImportedFile[]; isSingle: boolean } {
  const uploaded = filesOf(upload)
  const [first] = uploaded
  if (!first) throw importRefused('No file was chosen.')
  const members = uploaded.length === 1 ? membersOf(first) : null
  if (uploaded.length === 1 && members === null) return { files: [asFile(first)], isSingle: true }
  const files = members ?? uploaded.flatMap(filesFrom)
  if (files.length > MAX_IMPORT_FILES)
    throw importRefused(
      `These are more than ${MAX_IMPORT_FILES} files, the most that can be imported at once.`,
    )
  return { files: files.filter(({ name }) => !isLitter(name)), isSingle: false }
}

// An archive that cannot be opened is refused like any other of several files.
function filesFrom(file: Upload | StoredUpload): ImportedFile[] {
  try {
    return membersOf(file) ?? [asFile(file)]
  } catch (error) {
    return [{ name: file.name, read: () => Promise.reject(error) }]
  }
}

function membersOf(file: Upload | StoredUpload): ImportedFile[] | null {
  const members = archivedFiles(sourceOf(file))
  return (
    members?.map(({ name, read }) => ({
      name,
      read: async () => ({ plan: parseMember(name, read()), story: null }),
    })) ?? null
  )
}

function parseMember(name: string, bytes: Uint8Array | null): ImportPlan<PortableActions> {
  if (bytes) return parseFile(bytes, name)
  throw importRefused('This file of the archive is damaged, encrypted or larger than 20 MB.')
}

function asFile(file: Upload | StoredUpload): ImportedFile {
  const read = async () =>
    'path' in file ? readFile(file) : { plan: parseFile(file.bytes, file.name), story: null }
  return { name: file.name, read }
}

async function readFile(file: StoredUpload): Promise<ReadFile> {
  const size = file.to - file.from
  if (size > MAX_IMPORT_BYTES && isBundle(readStored(file, 0, 100))) {
    const story = await unpackedFile(file, MAX_BUNDLE_RATIO)
    return { plan: parseStory(story), story }
  }
  const bytes = readStored(file, 0, Math.min(size, MAX_IMPORT_BYTES + 1))
  return { plan: parseFile(bytes, file.name), story: null }
}

function sourceOf(file: Upload | StoredUpload): ByteSource {
  if (!('path' in file)) return bytesInMemory(file.bytes)
  return { size: file.to - file.from, read: (at, length) => readStored(file, at, length) }
}

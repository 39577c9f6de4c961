import { deleteStored, readStored, storeFile } from '../../db/stored-file.ts'
import { StoryError } from '../../domain/errors.ts'
import { MAX_IMPORT_BYTES } from '../../domain/limits.ts'
import { MAX_ARCHIVE_BYTES } from '../../formats/import-limits.ts'
import { isBundle } from '../../formats/inglenook/is-bundle.ts'
import { isZip } from '../../formats/zip/read-zip.ts'
import { isSqlite } from '../../lib/bytes.ts'
import type { Deps } from '../deps.ts'
import { type AnyUpload, filesOf, type StoredUpload, type Upload } from '../runtime/uploads.ts'

/**
 * Stores a file that is too large for memory, or one of many, in a temporary file, chunk by chunk. Throws too_large for one
 * that is longer than a file of its kind may be, storage_full, and what the stream throws.
 */
export async function storeUpload(
  { library }: Deps,
  name: string,
  body: AsyncIterable<Uint8Array>,
): Promise<StoredUpload> {
  return { name, ...(await storeFile(library.path, bounded(body))) }
}

/** Deletes the temporary files of an upload; one in memory has none. */
export async function deleteUpload(_: Deps, upload: AnyUpload): Promise<void> {
  for (const file of filesOf(upload)) if ('path' in file) await deleteStored(file)
}

/** True for a whole library, which is not imported but can be restored. */
export function isLibrary(upload: AnyUpload): upload is Upload | StoredUpload {
  if ('files' in upload) return false
  return isSqlite('bytes' in upload ? upload.bytes : readStored(upload, 0, 16))
}

async function* bounded(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let limit: number | null = null
  let size = 0
  for await (const chunk of body) {
    limit ??=
      isBundle(chunk) || isSqlite(chunk) ? Infinity : isZip(chunk) ? MAX_ARCHIVE_BYTES : MAX_IMPORT_BYTES
    size += chunk.length
    if (size > limit)
      throw new StoryError('too_large', `The request is too large: the limit is ${limit / 1024 / 1024} MB.`)
    yield chunk
  }
}

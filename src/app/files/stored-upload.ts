import { deleteStored, storeFile } from '../../db/uploads/stored-file.ts'
import { StoryError } from '../../domain/errors.ts'
import { MAX_IMPORT_BYTES } from '../../domain/limits.ts'
import { isBundle } from '../../formats/inglenook/parse-bundle.ts'
import type { Deps } from '../deps.ts'
import type { StoredUpload, Upload } from '../runtime/uploads.ts'

/**
 * Stores a body that is too large for memory in a temporary file, chunk by chunk. Throws too_large for anything that is not
 * our own, storage_full, and what the stream throws.
 */
export async function storeUpload(
  { library }: Deps,
  name: string,
  body: AsyncIterable<Uint8Array>,
): Promise<StoredUpload> {
  return { name, ...(await storeFile(library.path, ourOwn(body))) }
}

/** Deletes the temporary files of an upload; one in memory has none. */
export async function deleteUpload(_: Deps, upload: Upload | StoredUpload): Promise<void> {
  if ('path' in upload) await deleteStored(upload)
}

async function* ourOwn(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isFirst = true
  for await (const chunk of body) {
    if (isFirst && !isBundle(chunk))
      throw new StoryError(
        'too_large',
        `The request is too large: the limit is ${MAX_IMPORT_BYTES / 1024 / 1024} MB.`,
      )
    isFirst = false
    yield chunk
  }
}

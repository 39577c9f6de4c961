import type { StoredFile } from '../../db/stored-file.ts'

/** A file in memory. */
export interface Upload {
  name: string
  bytes: Uint8Array
}

/** A file of our own that is too large for memory. */
export interface StoredUpload extends StoredFile {
  name: string
}

/** Several files that are imported together. */
interface UploadedFiles {
  name: string
  files: (Upload | StoredUpload)[]
}

export type AnyUpload = Upload | StoredUpload | UploadedFiles

export function filesOf(upload: AnyUpload): (Upload | StoredUpload)[] {
  return 'files' in upload ? upload.files : [upload]
}

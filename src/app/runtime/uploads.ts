import { deleteStored, type StoredFile } from '../../db/uploads/stored-file.ts'

/** A file that was previewed, and waits for the player to confirm its import. */
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

/** What a player imports at once. */
export type AnyUpload = Upload | StoredUpload | UploadedFiles

export function filesOf(upload: AnyUpload): (Upload | StoredUpload)[] {
  return 'files' in upload ? upload.files : [upload]
}

/** Limits of what is held at once. Beyond them, the oldest files are dropped. */
const MAX_FILES = 8
const MAX_BYTES = 64 * 1024 * 1024

/** Holds uploads between their preview and their import: nothing is in the library before the player confirms. */
export class Uploads {
  private readonly files = new Map<string, AnyUpload>()

  /** Returns the key of the file. Equal files in memory share a key. */
  add(file: AnyUpload): string {
    const key = 'bytes' in file ? Bun.hash(file.bytes).toString(36) : crypto.randomUUID()
    this.put(key, file)
    return key
  }

  /** Puts back a file that was taken. */
  put(key: string, file: AnyUpload): void {
    this.files.delete(key)
    this.files.set(key, file)
    while (this.files.size > 1 && (this.files.size > MAX_FILES || this.bytesInMemory() > MAX_BYTES)) {
      const [oldest] = this.files.keys()
      if (oldest === undefined) break
      const dropped = this.take(oldest)
      // What cannot be deleted now is deleted at the next start.
      for (const one of dropped ? filesOf(dropped) : []) if ('path' in one) deleteStored(one).catch(() => {})
    }
  }

  find(key: string): AnyUpload | null {
    return this.files.get(key) ?? null
  }

  /** Removes a file and returns it. The caller must delete a stored one. */
  take(key: string): AnyUpload | null {
    const file = this.find(key)
    this.files.delete(key)
    return file
  }

  private bytesInMemory(): number {
    const files = [...this.files.values()].flatMap(filesOf)
    return files.reduce((sum, file) => sum + ('bytes' in file ? file.bytes.length : 0), 0)
  }
}

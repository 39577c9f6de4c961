import type { StoredFile } from '../../db/uploads/stored-file.ts'

/** A file that was previewed, and waits for the player to confirm its import. */
export interface Upload {
  name: string
  bytes: Uint8Array
}

/** A file of our own that is too large for memory. */
export interface StoredUpload extends StoredFile {
  name: string
}

/** Limits of what is held at once. Beyond them, the oldest files are dropped. */
const MAX_FILES = 8
const MAX_BYTES = 64 * 1024 * 1024

/** Holds uploads between their preview and their import, in memory only: nothing is written before the player confirms. */
export class Uploads {
  private readonly files = new Map<string, Upload>()

  /** Returns the key of the file. Equal files share a key. */
  add(file: Upload): string {
    const key = Bun.hash(file.bytes).toString(36)
    this.files.delete(key)
    this.files.set(key, file)
    while (this.files.size > 1 && (this.files.size > MAX_FILES || this.totalBytes() > MAX_BYTES)) {
      const [oldest] = this.files.keys()
      if (oldest === undefined) break
      this.files.delete(oldest)
    }
    return key
  }

  find(key: string): Upload | null {
    return this.files.get(key) ?? null
  }

  remove(key: string): void {
    this.files.delete(key)
  }

  private totalBytes(): number {
    return [...this.files.values()].reduce((sum, { bytes }) => sum + bytes.length, 0)
  }
}

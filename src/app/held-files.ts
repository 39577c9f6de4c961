/** A file that was looked at, and waits for the player's word. */
export interface HeldFile {
  name: string
  bytes: Uint8Array
}

/** No more files, and no more bytes of them, are held at once: the oldest go first. */
const MOST_FILES = 8
const MOST_BYTES = 64 * 1024 * 1024

/** Holds what was brought between its receipt and the word to take it in, in memory alone: nothing is written before. */
export class HeldFiles {
  private readonly files = new Map<string, HeldFile>()

  /** Gives the name by which the file is asked for again: equal files have one. */
  hold(file: HeldFile): string {
    const key = Bun.hash(file.bytes).toString(36)
    this.files.delete(key)
    this.files.set(key, file)
    while (this.files.size > 1 && (this.files.size > MOST_FILES || this.bytes() > MOST_BYTES)) {
      const [oldest] = this.files.keys()
      if (oldest === undefined) break
      this.files.delete(oldest)
    }
    return key
  }

  find(key: string): HeldFile | null {
    return this.files.get(key) ?? null
  }

  letGo(key: string): void {
    this.files.delete(key)
  }

  private bytes(): number {
    return [...this.files.values()].reduce((sum, { bytes }) => sum + bytes.length, 0)
  }
}

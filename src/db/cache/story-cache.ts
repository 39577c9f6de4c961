import type { Reader } from '../database.ts'
import type { ChangeLog, LoggedTable, LogPosition } from './change-log.ts'

interface Derived<T> {
  table: LoggedTable
  /** Yields after each small piece of the work. */
  compute: (reader: Reader, adventureId: number) => Generator<void, T>
  /** Updates a value after rows with these ids were written or deleted; computed anew without it. */
  update?: (value: T, reader: Reader, adventureId: number, ids: number[]) => void
  bytesOf: (value: T) => number
}

interface Kept<T> {
  value: T
  bytes: number
  position: LogPosition
}

/** Bytes that one cache may take. The story that was used last is kept whatever its size. */
const MAX_BYTES = 24 * 1024 * 1024

/** Values computed from the rows of stories, in memory until those change. Needs a log of changes. */
export class StoryCache<T> {
  private readonly kept = new WeakMap<ChangeLog, Map<number, Kept<T>>>()

  constructor(private readonly derived: Derived<T>) {}

  /** Computes a missing value in one piece: call {@link load} before where it may be large. */
  get(reader: Reader, adventureId: number): T {
    const steps = this.load(reader, adventureId)
    for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
  }

  /** Yields after each small piece of the work. */
  *load(reader: Reader, adventureId: number): Generator<void, T> {
    const { changes } = reader
    const now = changes?.position() ?? null
    if (changes === null || now === null) return yield* this.derived.compute(reader, adventureId)
    const current = this.current(reader, changes, now, adventureId)
    if (current) return current.value
    const value = yield* this.derived.compute(reader, adventureId)
    this.keep(changes, adventureId, value, now)
    // Rows may have changed between two pieces.
    return this.get(reader, adventureId)
  }

  private current(reader: Reader, changes: ChangeLog, now: LogPosition, adventureId: number): Kept<T> | null {
    const { table, update } = this.derived
    const kept = this.kept.get(changes)?.get(adventureId)
    if (kept === undefined) return null
    const changed = changes.between(kept.position, now, table, adventureId)
    if (changed === null || (changed.length > 0 && update === undefined)) return null
    if (changed.length > 0) update?.(kept.value, reader, adventureId, changed)
    this.keep(changes, adventureId, kept.value, now, changed.length > 0 ? undefined : kept.bytes)
    return kept
  }

  private keep(
    changes: ChangeLog,
    adventureId: number,
    value: T,
    position: LogPosition,
    bytes = this.derived.bytesOf(value),
  ): void {
    const stories = this.kept.get(changes) ?? new Map<number, Kept<T>>()
    this.kept.set(changes, stories)
    stories.delete(adventureId)
    stories.set(adventureId, { value, bytes, position })
    let total = [...stories.values()].reduce((sum, kept) => sum + kept.bytes, 0)
    for (const [oldest, kept] of stories) {
      if (total <= MAX_BYTES || stories.size === 1) return
      stories.delete(oldest)
      total -= kept.bytes
    }
  }
}

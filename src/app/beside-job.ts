import type { Code } from '../domain/errors.ts'
import type { Wanted } from './write-file.ts'

/** What is done beside the service, with a connection of its own, so that no turn waits for it. */
export type Job =
  | { kind: 'copy'; path: string; target: string }
  | { kind: 'write'; path: string; wanted: Wanted; at: Date }

/** What becomes of it. */
export type Outcome =
  | { kind: 'done'; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'refused'; code: Code; sentence: string }
  | { kind: 'failed'; detail: string }

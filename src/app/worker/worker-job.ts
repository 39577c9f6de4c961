import { type Static, Type } from '@sinclair/typebox'
import type { LibrarySize } from '../../db/checks/library-size.ts'
import type { LibraryContents } from '../../db/library/copies/contents.ts'
import type { ErrorCode } from '../../domain/errors.ts'
import type { ImportChoice, WrittenImport } from '../files/import-choice.ts'
import type { KeptPlan } from '../files/kept-plans.ts'
import type { FileRequest } from '../files/write-file.ts'
import type { AnyUpload } from '../runtime/uploads.ts'

/** The parameters and results of the long jobs. `path` is that of the library. */
export interface WorkerJobs {
  /** The result is the reason of a refusal; null when the library is in order. */
  'open library': { given: { path: string }; result: string | null }
  /** The result is whether the library is intact. */
  'check library': { given: { path: string }; result: boolean }
  /** The content of a copy, which is checked as before a restore, in a folder that the caller deletes. */
  'preview copy': { given: { file: string; folder: string }; result: LibraryContents }
  /** `kept` is where the library before is kept; `refused` is why nothing was changed. */
  restore: {
    given: { path: string; file: string; at: Date }
    result: { kept: string | null } | { refused: string }
  }
  'forget prompts': { given: { path: string }; result: null }
  'library size': { given: { path: string }; result: LibrarySize }
  copy: { given: { path: string; target: string }; result: null }
  export: { given: { path: string; wanted: FileRequest; at: Date }; result: null }
  index: { given: { path: string }; result: null }
  'copy story': { given: CopyRequest & { path: string }; result: number }
  'delete stories': { given: { path: string; adventures: number[] }; result: null }
  'plan import': { given: { path: string; file: AnyUpload }; result: KeptPlan }
  import: {
    given: { path: string; plan: KeptPlan; choice: ImportChoice; at: Date }
    result: WrittenImport
  }
}

/** The story to copy, the last action to copy (null: the last), and the time. */
export interface CopyRequest {
  adventure: number
  upTo: number | null
  at: Date
}

export type JobName = keyof WorkerJobs

/** The progress of a job, in steps of about equal length. */
export const JobProgress = Type.Object({ done: Type.Integer(), total: Type.Integer() })
export type JobProgress = Static<typeof JobProgress>

/** Requests of a job to the service while it runs. */
export interface JobHost {
  /** Resolves when the service is not writing. Await it before each write, so that no turn has to wait long. */
  mayWrite(): Promise<void>
  report(progress: JobProgress): void
}

/** The same for a job that makes a file. */
export interface FileHost extends JobHost {
  /** Sends a chunk of a file; its buffer is transferred. Resolves when the next chunk may be made. */
  send(chunk: Uint8Array<ArrayBuffer>): Promise<void>
}

/** Messages to a worker: the job, then its permissions to write, and to send the next chunk. */
export type ToWorker = { kind: 'job'; name: JobName; given: unknown } | { kind: 'write' } | { kind: 'more' }

/** Messages from a worker: questions while it works, then one outcome. */
export type FromWorker =
  | { kind: 'may write' }
  | { kind: 'progress'; progress: JobProgress }
  | { kind: 'chunk'; chunk: Uint8Array<ArrayBuffer> }
  | { kind: 'done'; result: unknown }
  | { kind: 'refused'; code: ErrorCode; sentence: string }
  | { kind: 'failed'; detail: string }

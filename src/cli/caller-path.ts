import { resolve } from 'node:path'
import { CALLER_FOLDER } from '../lib/project.ts'

/** A path as it was typed in a terminal. */
export function callerPath(typed: string): string {
  return resolve(CALLER_FOLDER, typed)
}

import { resolve } from 'node:path'

/**
 * A path as it was typed in a terminal. npm runs its scripts in another folder, and passes the caller's folder in a
 * variable.
 */
export function callerPath(typed: string): string {
  return resolve(process.env.INIT_CWD ?? '.', typed)
}

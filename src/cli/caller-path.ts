import { resolve } from 'node:path'

/** A path as it was typed in a terminal. npm runs its scripts in another folder, and says where the caller was. */
export function callerPath(typed: string): string {
  return resolve(process.env.INIT_CWD ?? '.', typed)
}

import { isGzip } from '../../lib/bytes.ts'

/** True if a file that begins with these bytes may be an adventure that we wrote, packed or not. */
export function isBundle(start: Uint8Array): boolean {
  return isGzip(start) || new TextDecoder().decode(start.subarray(0, START.length)) === START
}

const START = '{"format":"inglenook-adventure"'

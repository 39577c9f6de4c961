import { makeZip } from '../../../src/formats/zip/make-zip.ts'
import { concatBytes } from '../../../src/lib/bytes.ts'
import { PICTURE } from './card-png.ts'

/** The JSON files of an archive by their names. */
export type ByafJson = Record<string, unknown>

/** An archive of Backyard with these files and a small picture. */
export function byafOf(files: ByafJson, picture: Uint8Array = Buffer.from(PICTURE, 'base64')): Uint8Array {
  const json = Object.entries(files).map(([name, value]) => ({
    name,
    bytes: new TextEncoder().encode(JSON.stringify(value)),
  }))
  const image = { name: 'characters/odo/images/odo.png', bytes: new Uint8Array(picture), stored: true }
  return concatBytes([...makeZip([...json, image])])
}

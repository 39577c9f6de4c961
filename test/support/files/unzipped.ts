import { crc32, inflateRawSync } from 'node:zlib'

/** A file in an archive. */
export interface Unzipped {
  name: string
  method: number
  bytes: Buffer
  text: string
}

/** The files of an archive by its directory, each compared with its own header and its sum; throws when they differ. */
export function unzipped(archive: Uint8Array): Unzipped[] {
  const zip = Buffer.from(archive)
  const end = zip.length - 22
  if (zip.readUInt32LE(end) !== 0x06054b50) throw new Error('no end of directory')
  let at = zip.readUInt32LE(end + 16)
  return Array.from({ length: zip.readUInt16LE(end + 10) }, () => {
    if (zip.readUInt32LE(at) !== 0x02014b50) throw new Error('no entry of the directory')
    const [nameLength, local] = [zip.readUInt16LE(at + 28), zip.readUInt32LE(at + 42)]
    const name = zip.toString('latin1', at + 46, at + 46 + nameLength)
    if (zip.readUInt32LE(local) !== 0x04034b50) throw new Error(`no header of ${name}`)
    if (!zip.subarray(local + 6, local + 30).equals(zip.subarray(at + 8, at + 32)))
      throw new Error('two stories')
    if (zip.toString('latin1', local + 30, local + 30 + nameLength) !== name) throw new Error('two names')
    const start = local + 30 + nameLength + zip.readUInt16LE(local + 28)
    const packed = zip.subarray(start, start + zip.readUInt32LE(at + 20))
    const method = zip.readUInt16LE(at + 10)
    const bytes = method === 0 ? Buffer.from(packed) : inflateRawSync(packed)
    if (crc32(bytes) !== zip.readUInt32LE(at + 16)) throw new Error(`${name} is damaged`)
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
    return { name, method, bytes, text: bytes.toString() }
  })
}

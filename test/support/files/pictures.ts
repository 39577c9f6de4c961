import { crc32, deflateSync } from 'node:zlib'

const bytes = (text: string) => Buffer.from(text, 'latin1')
const u32 = (value: number) => {
  const four = Buffer.alloc(4)
  four.writeUInt32BE(value)
  return four
}
const u32le = (value: number) => u32(value).reverse()
const u16le = (value: number) => u32le(value).subarray(0, 2)
const join = (...parts: (Uint8Array | string)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? bytes(part) : part)))

export const pngChunk = (name: string, data: Uint8Array | string) => {
  const body = join(name, data)
  return join(u32(body.length - 4), body, u32(crc32(body)))
}

/** A PNG of one color. `extra` are chunks before its pixels, `claims` a size that only its header has. */
export function png({
  width = 8,
  height = 5,
  extra = [],
  claims,
}: {
  width?: number
  height?: number
  extra?: Uint8Array[]
  claims?: [number, number]
} = {}): Buffer {
  const [claimedWidth, claimedHeight] = claims ?? [width, height]
  const row = join('\0', new Uint8Array(3 * width).fill(0x66))
  const header = join(u32(claimedWidth), u32(claimedHeight), '\x08\x02\0\0\0')
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))
  return join(
    '\x89PNG\r\n\x1a\n',
    pngChunk('IHDR', header),
    ...extra,
    pngChunk('IDAT', pixels),
    pngChunk('IEND', ''),
  )
}

const made = (kind: 'jpeg' | 'webp', size: { width?: number; height?: number }) =>
  new Bun.Image(png(size))[kind]().bytes()

/** EXIF of a camera: turned by a quarter, and where it stood. */
const EXIF = join(
  'Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0',
  'GPSLatitude 48.137',
)

export async function jpeg({
  exif = false,
  ...size
}: {
  exif?: boolean
  width?: number
  height?: number
} = {}) {
  const plain = await made('jpeg', size)
  if (!exif) return Buffer.from(plain)
  return join(plain.subarray(0, 2), '\xff\xe1', u32(EXIF.length + 2).subarray(2), EXIF, plain.subarray(2))
}

export async function webp(size: { width?: number; height?: number } = {}) {
  return Buffer.from(await made('webp', size))
}

const riff = (...chunks: Uint8Array[]) => {
  const body = join('WEBP', ...chunks)
  return join('RIFF', u32le(body.length), body)
}
const riffChunk = (name: string, data: Uint8Array) =>
  join(name, u32le(data.length), data, data.length % 2 ? '\0' : '')

/** A WebP that says that it moves. */
export async function movingWebp() {
  const still = (await webp()).subarray(12)
  const frame = join(new Uint8Array(16), still)
  return riff(
    riffChunk('VP8X', join('\x02\0\0\0', '\x07\0\0\x04\0\0')),
    riffChunk('ANIM', new Uint8Array(6)),
    riffChunk('ANMF', frame),
    riffChunk('ANMF', frame),
  )
}

/** A WebP with a canvas of its own and a text beside the pixels. */
export async function extendedWebp() {
  const still = (await webp()).subarray(12)
  return riff(
    riffChunk('VP8X', join('\x08\0\0\0', '\x07\0\0\x04\0\0')),
    still,
    riffChunk('EXIF', bytes('GPSLatitude')),
  )
}

const FRAME = join(',\0\0\0\0\x01\0\x01\0\0', '\x02\x02D\x01\0')

export const gif = ({ frames = 1, width = 1 } = {}) =>
  join(
    'GIF89a',
    u16le(width),
    '\x01\0\x80\0\0',
    '\0\0\0\xff\xff\xff',
    '!\xfe\x05hello\0',
    ...Array.from({ length: frames }, () => FRAME),
    ';',
  )

/** A GIF that is a program as well, with the program where its size should be. */
export const gifScript = () => join('GIF89a/*', gif().subarray(8), '*/=1;alert(document.domain)')

export const movingPng = () =>
  png({ extra: [pngChunk('acTL', join(u32(2), u32(0))), pngChunk('fcTL', new Uint8Array(26))] })

export const svg = () =>
  bytes('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(document.domain)</script></svg>')

export const dataUri = (picture: Uint8Array, type = 'png') =>
  `data:image/${type};base64,${Buffer.from(picture).toString('base64')}`

export { join }

import { zlib } from '../../lib/bytes.ts'
import { makeChunk, makePng } from './png.ts'

/** A PNG that runs from one color at its top to another at its bottom. Colors are `#rrggbb`. */
export function makeGradientPng(
  from: string,
  to: string,
  width: number,
  height: number,
): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(13)
  const view = new DataView(header.buffer)
  view.setUint32(0, width)
  view.setUint32(4, height)
  // Eight bits for each of red, green and blue.
  header.set([8, 2, 0, 0, 0], 8)
  const [top, bottom] = [rgb(from), rgb(to)]
  const row = 1 + 3 * width
  const pixels = new Uint8Array(row * height)
  for (let y = 0; y < height; y++) {
    const share = y / Math.max(1, height - 1)
    const color = top.map((value, i) => Math.round(value + ((bottom[i] ?? 0) - value) * share))
    for (let x = 1; x < row; x++) pixels[y * row + x] = color[(x - 1) % 3] ?? 0
  }
  return makePng([
    makeChunk('IHDR', header),
    makeChunk('IDAT', zlib().deflateSync(pixels)),
    makeChunk('IEND', new Uint8Array()),
  ])
}

function rgb(hex: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
}

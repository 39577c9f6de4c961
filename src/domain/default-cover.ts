import { foldName } from '../lib/fold-text.ts'

/** Pairs of colours, dark enough for white letters at 4.5:1. */
const RAMPS = [
  ['#3b2a4f', '#6b3d5e'],
  ['#1f3a4d', '#2f6270'],
  ['#4a2c2a', '#7a4433'],
  ['#24402f', '#3f6642'],
  ['#2b2f55', '#4a5590'],
  ['#4d3a1f', '#7a5a2b'],
  ['#3a2233', '#74394d'],
  ['#22383a', '#3f5f57'],
  ['#402a1c', '#8a5a33'],
  ['#1c2f3a', '#3c5a78'],
  ['#2f2a44', '#5d4f7d'],
  ['#2c3b1e', '#5c6b35'],
] as const

/** A cover for scenarios without a picture, always the same for the same title (docs/rules.md 2). */
interface CoverArt {
  /** Colours of the gradient from the top left to the bottom right. */
  from: string
  to: string
  /** Lines of the drawing on it, as the data of an SVG path. */
  lines: string
}

/** Units of a cover, which is as high as three halves of its width. */
export const COVER_WIDTH = 200
export const COVER_HEIGHT = 300

export function coverArt(title: string): CoverArt {
  const name = foldName(title)
  const [from, to] = RAMPS[hashOf(name) % RAMPS.length] ?? RAMPS[0]
  const draw = PATTERNS[hashOf(`pattern ${name}`) % PATTERNS.length] ?? PATTERNS[0]
  return { from, to, lines: draw((i) => (hashOf(`${i} ${name}`) % 1000) / 1000) }
}

/** FNV-1a over UTF-16 units, 32 bits (http://www.isthe.com/chongo/tech/comp/fnv/). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0
  // The last letters of an input reach the low bits only: https://github.com/aappleby/smhasher (fmix32).
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b) >>> 0
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35) >>> 0
  return (hash ^ (hash >>> 16)) >>> 0
}

/** A number from 0 to below 1 for each index, drawn by the title. */
type Draw = (i: number) => number

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)
const joined = (count: number, path: (i: number) => string) => numbers(count).map(path).join('')
const at = (value: number) => Number(value.toFixed(1))
const circle = (x: number, y: number, r: number) =>
  `M${at(x - r)} ${at(y)}a${at(r)} ${at(r)} 0 1 0 ${at(2 * r)} 0a${at(r)} ${at(r)} 0 1 0 ${at(-2 * r)} 0`
const line = (x: number, y: number, toX: number, toY: number) => `M${at(x)} ${at(y)}L${at(toX)} ${at(toY)}`

const PATTERNS: readonly [(draw: Draw) => string, ...((draw: Draw) => string)[]] = [
  // Rings around a corner.
  (draw) => joined(11, (i) => circle(draw(0) < 0.5 ? 0 : COVER_WIDTH, COVER_HEIGHT, 22 + i * 22)),
  // Waves, higher towards the bottom.
  (draw) =>
    joined(12, (i) => {
      const y = 128 + i * 16
      const lift = 3 + i * (0.6 + draw(0))
      return `M-10 ${y}${joined(6, (wave) => `q20 ${at(wave % 2 ? lift : -lift)} 40 0`)}`
    }),
  // Rays from the horizon.
  (draw) =>
    joined(25, (i) => {
      const angle = (Math.PI * i) / 24
      const x = 60 + draw(0) * 80
      return line(
        x + 36 * Math.cos(angle),
        236 - 36 * Math.sin(angle),
        x + 340 * Math.cos(angle),
        236 - 340 * Math.sin(angle),
      )
    }) + line(-10, 236, 210, 236),
  // Mountains.
  (draw) =>
    joined(6, (i) => {
      const y = 150 + i * 26
      return `M-10 ${y + 40}${joined(5, (peak) => `L${at(15 + peak * 45)} ${at(peak % 2 ? y + 30 - draw(i + 9) * 24 : y - draw(i * 5 + peak) * 62)}`)}L220 ${y + 30}`
    }),
  // Stars, and the paths between them.
  (draw) => {
    const stars = numbers(16).map((i) => [12 + draw(i) * 176, 16 + ((i + draw(i + 40)) * 268) / 16] as const)
    const dots = stars.map(([x, y], i) => circle(x, y, i % 4 === 0 ? 3.4 : 1.6)).join('')
    return `${dots}M${stars
      .filter((_, i) => i % 3 !== 1)
      .map(([x, y]) => `${at(x)} ${at(y)}`)
      .join('L')}`
  },
  // Nested arches.
  (draw) =>
    joined(8, (i) => {
      const r = 92 - i * 11
      const top = 96 + i * (9 + draw(0) * 8)
      return `M${100 - r} 310V${at(top + r)}A${r} ${r} 0 0 1 ${100 + r} ${at(top + r)}V310`
    }),
  // A lattice of diamonds.
  (draw) => {
    const step = 26 + draw(0) * 16
    return joined(
      24,
      (i) => line(i * step - 320, 0, i * step - 20, 300) + line(i * step - 20, 0, i * step - 320, 300),
    )
  },
  // Reeds.
  (draw) =>
    joined(26, (i) => {
      const x = 4 + i * 7.7
      const top = 96 + draw(i) * 150
      return `M${at(x)} 310Q${at(x + 3)} ${at(top + 60)} ${at(x + (draw(i + 30) - 0.5) * 34)} ${at(top)}`
    }),
  // The moon over hills.
  (draw) =>
    circle(60 + draw(0) * 80, 104, 30) +
    joined(
      9,
      (i) =>
        `M-10 ${190 + i * 15}Q${at(40 + draw(i) * 40)} ${at(150 + i * 15)} 100 ${190 + i * 15}T210 ${at(184 + i * 15)}`,
    ),
  // Circles that overlap.
  (draw) => {
    const r = 34 + draw(0) * 14
    return joined(35, (i) => circle((i % 5) * r, 20 + Math.floor(i / 5) * r * 1.5, r))
  },
  // Orbits.
  (draw) => {
    const turn = at(-35 + draw(0) * 70)
    return joined(8, (i) => {
      const r = 16 + i * 15
      return `M${at(100 - r * Math.cos((turn * Math.PI) / 180))} ${at(160 - r * Math.sin((turn * Math.PI) / 180))}${[1, -1].map((side) => `A${r} ${at(r * 0.42)} ${turn} 1 0 ${at(100 + side * r * Math.cos((turn * Math.PI) / 180))} ${at(160 + side * r * Math.sin((turn * Math.PI) / 180))}`).join('')}`
    })
  },
  // Rain.
  (draw) =>
    joined(70, (i) => {
      const [x, y, length] = [draw(i) * 220, draw(i + 100) * 300, 8 + draw(i + 200) * 26]
      return line(x, y, x - length * 0.35, y + length)
    }),
]

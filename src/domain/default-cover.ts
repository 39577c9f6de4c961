import { foldName } from '../lib/fold-text.ts'
import { numberOf } from '../lib/hash.ts'

/** A dark sky, the lighter one above the horizon (white letters have 4.5:1 on both), and what shines in it. */
const RAMPS = [
  ['#2d1b3d', '#8c4a72', '#f3c98b'],
  ['#0f2f3a', '#2b7680', '#f4e3b2'],
  ['#4a1d1a', '#a8503a', '#f6d7a0'],
  ['#16332a', '#3d7a50', '#f1e2a0'],
  ['#1e2250', '#5560a8', '#f6c7b0'],
  ['#4a2f10', '#94672a', '#fbeec8'],
  ['#3a1228', '#98405c', '#f4cfa8'],
  ['#1d2f33', '#4c756d', '#f2d6a2'],
  ['#3d1f12', '#a35c30', '#ffe2ad'],
  ['#0f1d33', '#37608f', '#f5edd0'],
  ['#262045', '#6f5ca0', '#ffd9c2'],
  ['#232d14', '#63722f', '#f7eec0'],
] as const

/** A shape of a drawing: a light source, something dark before it, or thin light lines; with the data of its SVG path. */
export interface CoverShape {
  look: 'glow' | 'shade' | 'lines'
  path: string
}

/** A cover for scenarios without a picture, always the same for the same title. */
interface CoverArt {
  /** The colors of the gradient from top to bottom, and the color of the light source. */
  from: string
  to: string
  glow: string
  /** Each lies over the one before it. */
  shapes: readonly CoverShape[]
}

/** Units of a cover, which is as high as three halves of its width. */
export const COVER_WIDTH = 200
export const COVER_HEIGHT = 300

export function coverArt(title: string): CoverArt {
  const name = foldName(title)
  const [from, to, glow] = RAMPS[numberOf(name) % RAMPS.length] ?? RAMPS[0]
  const draw = DRAWINGS[numberOf(`pattern ${name}`) % DRAWINGS.length] ?? DRAWINGS[0]
  return { from, to, glow, shapes: draw((i) => (numberOf(`${i} ${name}`) % 1000) / 1000) }
}

/** The size of a title on its cover: its longest word fits on a line, and all of it above the light source. */
export function titleSize(title: string): 'short' | 'long' | 'longest' {
  const words = title.split(/[\s-]+|(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/u)
  const longest = Math.max(...words.map((word) => [...word].length))
  if (longest > 13 || title.length > 60) return 'longest'
  return longest > 10 || title.length > 36 ? 'long' : 'short'
}

/** A number from 0 to below 1 for each index, drawn by the title. */
type Draw = (i: number) => number

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)
const joined = (count: number, path: (i: number) => string) => numbers(count).map(path).join('')
const at = (value: number) => Number(value.toFixed(1))
const circle = (x: number, y: number, r: number) =>
  `M${at(x - r)} ${at(y)}a${at(r)} ${at(r)} 0 1 0 ${at(2 * r)} 0a${at(r)} ${at(r)} 0 1 0 ${at(-2 * r)} 0`
const line = (x: number, y: number, toX: number, toY: number) => `M${at(x)} ${at(y)}L${at(toX)} ${at(toY)}`

const polygon = (...points: (readonly [number, number])[]) =>
  `M${points.map(([x, y]) => `${at(x)} ${at(y)}`).join('L')}Z`
const ground = (path: string) => `M-10 310${path}L210 310Z`
const hill = (y: number, lift: number, lean: number) =>
  ground(`L-10 ${at(y)}Q${at(20 + lean * 120)} ${at(y - lift)} 210 ${at(y + 6)}`)
const range = (y: number, height: number, draw: Draw) =>
  ground(
    joined(
      9,
      (i) => `L${at(-10 + i * 28)} ${at(y - (i % 2 ? height * (0.4 + draw(i) * 0.6) : draw(i) * 14))}`,
    ),
  )
const swell = (y: number, lift: number, shift: number) =>
  ground(`L${at(-50 - shift)} ${y}${joined(8, (i) => `q20 ${at(i % 2 ? lift : -lift)} 40 0`)}`)

const shapesOf =
  (look: CoverShape['look']) =>
  (...paths: string[]): CoverShape[] =>
    paths.map((path) => ({ look, path }))
const glow = shapesOf('glow')
const shade = shapesOf('shade')
const lines = shapesOf('lines')

type Drawing = (draw: Draw) => CoverShape[]

const DRAWINGS: readonly [Drawing, ...Drawing[]] = [
  // The sun, and rings around it.
  (draw) => {
    const [x, y] = [60 + draw(0) * 80, 196]
    return [
      ...lines(joined(9, (i) => circle(x, y, 44 + i * 15))),
      ...glow(circle(x, y, 30)),
      ...shade(hill(262, 20, draw(1)), hill(280, 12, draw(2))),
    ]
  },
  // The sea under a low sun.
  (draw) => [
    ...glow(circle(50 + draw(0) * 100, 192, 36)),
    ...shade(...numbers(6).map((i) => swell(200 + i * 18, 5 + i * 1.4, draw(i + 1) * 40))),
  ],
  // Rays from the horizon.
  (draw) => {
    const x = 60 + draw(0) * 80
    const ray = (angle: number) =>
      line(
        x + 54 * Math.cos(angle),
        240 - 54 * Math.sin(angle),
        x + 330 * Math.cos(angle),
        240 - 330 * Math.sin(angle),
      )
    return [
      ...lines(joined(23, (i) => ray((Math.PI * i) / 22))),
      ...glow(circle(x, 240, 42)),
      ...shade(hill(240, 6, draw(1)), hill(262, 14, draw(2))),
    ]
  },
  // Mountains.
  (draw) => [
    ...glow(circle(40 + draw(0) * 120, 176, 20)),
    ...shade(...numbers(4).map((i) => range(224 + i * 24, 62 - i * 12, (n) => draw(i * 10 + n + 1)))),
  ],
  // Stars, and the paths between them.
  (draw) => {
    const stars = numbers(14).map((i) => [16 + draw(i) * 168, 154 + i * 8 + draw(i + 40) * 8] as const)
    const path = stars.filter((_, i) => i % 3 !== 1).map(([x, y]) => `${at(x)} ${at(y)}`)
    return [
      ...lines(`M${path.join('L')}`),
      ...glow(stars.map(([x, y], i) => circle(x, y, i % 4 === 0 ? 4.5 : 2)).join('')),
      ...shade(hill(274, 16, draw(80)), hill(288, 8, draw(81))),
    ]
  },
  // A lit door at the end of arches.
  (draw) => {
    const step = 14 + draw(0) * 8
    const arch = (r: number, top: number) =>
      `M${100 - r} 310L${100 - r} ${at(top + r)}A${r} ${r} 0 0 1 ${100 + r} ${at(top + r)}L${100 + r} 310Z`
    return [
      ...shade(...numbers(4).map((i) => arch(88 - i * 18, 118 + i * step))),
      ...glow(arch(15, 118 + 4 * step)),
    ]
  },
  // A floor of diamonds.
  (draw) => {
    const cells = numbers(36).map((i) => {
      const [x, y] = [(i % 6) * 40 + (Math.floor(i / 6) % 2) * 20 - 10, 178 + Math.floor(i / 6) * 25]
      return polygon([x, y - 22], [x + 17, y], [x, y + 22], [x - 17, y])
    })
    const some = (from: number, to: number) =>
      cells.filter((_, i) => draw(i) >= from && draw(i) < to).join('')
    return [...shade(some(0, 0.9), some(0, 0.45)), ...glow(some(0.9, 1))]
  },
  // Reeds before the moon.
  (draw) => {
    const blade = (x: number, top: number, tip: number) =>
      `M${at(x - 2.5)} 310Q${at(x)} ${at(top + 70)} ${at(tip)} ${at(top)}Q${at(x + 5)} ${at(top + 70)} ${at(x + 2.5)} 310Z`
    const blades = (count: number, top: number) =>
      joined(count, (i) => {
        const x = 4 + (i * 200) / count
        return blade(x, top + draw(i + top) * 100, x + (draw(i + 300) - 0.5) * 40)
      })
    return [
      ...glow(circle(50 + draw(0) * 100, 186, 28)),
      ...shade(hill(250, 4, draw(1)), blades(16, 150), blades(14, 190)),
    ]
  },
  // A new moon over hills.
  (draw) => {
    const [x, y] = [at(60 + draw(0) * 80), 180]
    return [
      ...glow(`M${x} ${y - 26}A26 26 0 1 0 ${at(x + 26)} ${y + 4}A21 21 0 1 1 ${x} ${y - 26}Z`),
      ...shade(...numbers(5).map((i) => hill(220 + i * 20, 26 + draw(i + 1) * 26, draw(i + 10)))),
    ]
  },
  // Scales, as of a roof.
  (draw) => {
    const scales = numbers(36).map(
      (i) => [(i % 6) * 40 + (Math.floor(i / 6) % 2) * 20 - 10, 176 + Math.floor(i / 6) * 24] as const,
    )
    const scale = ([x, y]: readonly [number, number], r: number) =>
      `M${x - r} ${y}A${r} ${r} 0 0 1 ${x + r} ${y}`
    const lit = scales[(draw(0) < 0.5 ? 7 : 13) + Math.floor(draw(1) * 4)] ?? [100, 200]
    return [
      ...shade(
        ...numbers(3).map((i) =>
          scales
            .slice(i * 12)
            .map((one) => `${scale(one, 20)}L${one[0]} 310Z`)
            .join(''),
        ),
      ),
      ...glow(`${scale(lit, 20)}Z`),
      ...lines(scales.map((one) => scale(one, 20) + scale(one, 12)).join('')),
    ]
  },
  // A planet and its moons.
  (draw) => {
    const [turn, y] = [-30 + draw(0) * 60, 196]
    const [cos, sin] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)]
    const point = (r: number, side: number) => [100 + side * r * cos, y + side * r * sin] as const
    const half = (r: number, side: number) =>
      `A${r} ${at(r * 0.36)} ${at(turn)} 1 0 ${point(r, side).map(at).join(' ')}`
    return [
      ...lines(
        joined(
          5,
          (i) =>
            `M${point(46 + i * 14, -1)
              .map(at)
              .join(' ')}${half(46 + i * 14, 1)}${half(46 + i * 14, -1)}`,
        ),
      ),
      ...glow(
        circle(100, y, 26) +
          circle(...point(60, draw(1) < 0.5 ? 1 : -1), 5) +
          circle(...point(88, draw(2) < 0.5 ? 1 : -1), 4),
      ),
      ...shade(hill(282, 18, draw(3))),
    ]
  },
  // Rain on a town at night.
  (draw) => {
    const houses = (y: number, shift: number) =>
      ground(
        joined(6, (i) => {
          const [x, top] = [-20 + i * 38 - shift, y - draw(i + shift) * 34]
          return `L${at(x)} ${at(top)}L${at(x + 19)} ${at(top - 20)}L${at(x + 38)} ${at(top)}`
        }),
      )
    const window = (x: number, y: number) => polygon([x, y], [x + 7, y], [x + 7, y + 10], [x, y + 10])
    return [
      ...lines(
        joined(44, (i) => {
          const [x, y, length] = [draw(i) * 220, 90 + draw(i + 100) * 140, 8 + draw(i + 200) * 22]
          return line(x, y, x - length * 0.35, y + length)
        }),
      ),
      ...shade(houses(216, 12), houses(252, 0)),
      ...glow(
        joined(7, (i) =>
          draw(i + 90) < 0.7 ? window(12 + i * 27 + draw(i + 60) * 8, 264 + draw(i + 70) * 20) : '',
        ),
      ),
    ]
  },
]

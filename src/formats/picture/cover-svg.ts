import {
  COVER_HEIGHT,
  COVER_WIDTH,
  type CoverShape,
  coverArt,
  titleSize,
} from '../../domain/default-cover.ts'
import { element } from '../book/xml.ts'

/** The layout of the title: size and height of a line, its characters, and the most lines. */
const SIZES = {
  short: { size: 24, height: 29, characters: 14, most: 4 },
  long: { size: 20, height: 24, characters: 16, most: 5 },
  longest: { size: 17, height: 20, characters: 19, most: 6 },
}

function paintOf(look: CoverShape['look'], glow: string): Record<string, string> {
  if (look === 'lines') return { fill: 'none', stroke: '#fff', 'stroke-opacity': '0.25' }
  return look === 'glow' ? { fill: glow } : { fill: '#000', 'fill-opacity': '0.2' }
}

/** The cover of a title without a picture as a picture of its own (SVG 2). */
export function makeCoverSvg(title: string): string {
  const { from, to, glow, shapes } = coverArt(title)
  const set = SIZES[titleSize(title)]
  const [width, height] = [String(COVER_WIDTH), String(COVER_HEIGHT)]
  const { markup } = element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height}`, width: '600', height: '900' },
    element(
      'defs',
      {},
      element(
        'linearGradient',
        { id: 'g', x1: '0', y1: '0', x2: '0', y2: '1' },
        element('stop', { offset: '0.1', 'stop-color': from }),
        element('stop', { offset: '0.8', 'stop-color': to }),
      ),
    ),
    element('rect', { width, height, fill: 'url(#g)' }),
    ...shapes.map(({ look, path }) => element('path', { d: path, ...paintOf(look, glow) })),
    element(
      'text',
      {
        fill: '#fff',
        'font-family': 'serif',
        'font-size': String(set.size),
        'font-weight': '600',
        'text-anchor': 'middle',
      },
      titleLines(title, set).map((line, i) =>
        element('tspan', { x: '100', y: String(46 + i * set.height) }, line),
      ),
    ),
  )
  return markup
}

/** A title in lines; a longer word is cut, and a longer title ends with an ellipsis. */
function titleLines(title: string, { characters, most }: (typeof SIZES)['long']): string[] {
  const lines: string[] = []
  for (const word of title.split(/\s+/).flatMap((one) => pieces(one, characters))) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < characters)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines.length > most ? [...lines.slice(0, most - 1), '…'] : lines
}

function pieces(word: string, size: number): string[] {
  const letters = [...word]
  return Array.from({ length: Math.ceil(letters.length / size) }, (_, i) =>
    letters.slice(i * size, (i + 1) * size).join(''),
  )
}

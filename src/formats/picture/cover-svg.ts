import { COVER_HEIGHT, COVER_WIDTH, coverArt } from '../../domain/default-cover.ts'
import { element } from '../book/xml.ts'

/** Characters of a line of the title, and the most lines. */
const LINE = 14
const MAX_LINES = 6

/** The cover of a title without a picture as a picture of its own (SVG 2). */
export function makeCoverSvg(title: string): string {
  const { from, to, lines } = coverArt(title)
  const [width, height] = [String(COVER_WIDTH), String(COVER_HEIGHT)]
  const { markup } = element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height}`, width: '600', height: '900' },
    element(
      'defs',
      {},
      element(
        'linearGradient',
        { id: 'g', x1: '0', y1: '0', x2: '1', y2: '1' },
        element('stop', { offset: '0', 'stop-color': from }),
        element('stop', { offset: '1', 'stop-color': to }),
      ),
    ),
    element('rect', { width, height, fill: 'url(#g)' }),
    element('path', { d: lines, fill: 'none', stroke: '#fff', 'stroke-opacity': '0.2' }),
    element('rect', {
      x: '8',
      y: '8',
      width: String(COVER_WIDTH - 16),
      height: String(COVER_HEIGHT - 16),
      fill: 'none',
      stroke: '#fff',
      'stroke-opacity': '0.35',
    }),
    element(
      'text',
      {
        fill: '#fff',
        'font-family': 'serif',
        'font-size': '24',
        'font-weight': '600',
        'text-anchor': 'middle',
      },
      titleLines(title).map((line, i) => element('tspan', { x: '100', y: String(50 + i * 30) }, line)),
    ),
  )
  return markup
}

/** A title in lines; a longer word is cut, and a longer title ends with an ellipsis. */
function titleLines(title: string): string[] {
  const lines: string[] = []
  for (const word of title.split(/\s+/).flatMap(pieces)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < LINE) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES - 1), '…'] : lines
}

function pieces(word: string): string[] {
  const letters = [...word]
  return Array.from({ length: Math.ceil(letters.length / LINE) }, (_, i) =>
    letters.slice(i * LINE, (i + 1) * LINE).join(''),
  )
}

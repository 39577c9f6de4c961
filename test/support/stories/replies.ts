import fc from 'fast-check'
import { type Step, say, thinkThenSay } from '../endpoint/endpoint.ts'
import { counts, type Fields, type Narration } from './story-model.ts'

/** Random replies of a model: prose, now and then with a state block that nobody asked for, and the expected prose. */

/** How a reply is written, before its changes are known. */
export interface Manner {
  prose: number
  style: number
  /** The number of chunks, and where it is cut. */
  at: number
}

export const manners: fc.Arbitrary<Manner> = fc.record({
  prose: fc.nat({ max: 10 }),
  style: fc.nat({ max: 23 }),
  at: fc.nat({ max: 11 }),
})

/** A reply: the raw text, and the expected result of parsing it. */
export interface Reply {
  raw: string
  narration: Narration
}

const PROSE = [
  'The lamp burns low.',
  'You stay.\n\nNothing comes.',
  '  The sea *goes on*, and on. ',
  'A **bell**. “Who is there?” she asks {softly}.',
  'Grüße aus 名古屋 🜲.',
  'The letter says:\n\n```json\n{"dear": "you"}\n```\n\nThat is all.',
  '> You say nothing.',
  '---\n\nMorning.',
  'No\nend',
  'The code is `state`.',
  'Half a letter \ud83d.',
]

/** Writes a reply. */
export function reply({ prose, style }: Manner, schema: Fields): Reply {
  const passage = PROSE[prose % PROSE.length] ?? ''
  const { block = '', after = '', cut = null } = STYLES[style] ?? {}
  const raw = [passage, block, after].filter((part) => part !== '').join('\n\n')
  const shown =
    block === '' || !counts(schema) ? raw : [passage.trimStart(), after].filter(Boolean).join('\n\n')
  return {
    raw,
    narration: { text: unmarked(shown.trim()), whole: unmarked(raw.trim()), thinking: null, cut },
  }
}

/** Without the mark of the player's lines, if it begins with one. */
export function unmarked(text: string): string {
  return text.startsWith('> ') ? text.replace(/^> /gm, '') : text
}

interface Style {
  block?: string
  after?: string
  cut?: Narration['cut']
}

const BLOCK = '```state_delta\n{"player.hp": -1}\n```'
/** Most replies are prose alone. */
const STYLES: Record<number, Style> = {
  1: { block: BLOCK, after: 'The night goes on.' },
  2: { cut: 'length' },
  3: { block: BLOCK },
  13: { block: BLOCK.slice(0, -6), cut: 'length' },
}

const PIECES = [1, 2, 1, 3, 7, 1, 2, 1, 3, 1, 1, 60]

/** The step of the fake model server that sends a reply. */
export function stepOf({ raw, narration: { thinking, cut } }: Reply, { at }: Manner): Step {
  const saying = { pieces: PIECES[at % PIECES.length] ?? 1, finish: cut === 'length' ? 'length' : 'stop' }
  return thinking === null ? say(raw, saying) : thinkThenSay(thinking, raw, saying)
}

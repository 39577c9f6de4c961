import { describe, expect, test } from 'bun:test'
import { PathResolver } from '../../../../src/domain/world/path-resolver.ts'
import { parseAnswer } from '../../../../src/domain/world/recorder/answer.ts'
import { referee } from '../../../../src/domain/world/referee.ts'
import { readRules } from '../../../../src/domain/world/rules.ts'
import { instantiate } from '../../../../src/domain/world/state.ts'
import { LANTERN_ROCK } from '../../../support/stories/worlds.ts'

/** Answers as models without a schema botch them: 30 ways, each of ten answers. */

const TOLD =
  'A wave breaks over you, and the cold bites. “Hold on!” Ottoline cries.\n\nYou bar the door; the lamp’s oil — two tins of it — burns low. Her hand shakes. Far off, a rocket flies.'
const paths = new PathResolver(readRules(LANTERN_ROCK))

interface Change {
  path: string
  by?: number
  to?: unknown
}
interface Edit {
  because: string
  changes: Change[]
}

const warmth = (by: number): Change => ({ path: 'player.warmth', by })
const ANSWERS: readonly Edit[][] = [
  [{ because: 'the cold bites', changes: [warmth(-4)] }],
  [
    {
      because: 'A wave breaks over you, and the cold bites.',
      changes: [warmth(-1), { path: 'world.sea', by: 2 }],
    },
  ],
  [{ because: 'You bar the door', changes: [{ path: 'flags.door_barred', to: true }] }],
  [
    {
      because: 'the lamp’s oil — two tins of it — burns low',
      changes: [{ path: 'player.lamp_oil', by: -2 }],
    },
  ],
  [{ because: '“Hold on!” Ottoline cries.', changes: [{ path: 'npc.ottoline.faith', by: 3 }] }],
  [{ because: 'Her hand shakes.', changes: [{ path: 'npc.ottoline.wound', to: 'a cut hand, still open' }] }],
  [
    { because: 'the cold bites', changes: [warmth(-3)] },
    { because: 'a rocket flies', changes: [{ path: 'milestones.signal_sent', to: true }] },
  ],
  [{ because: 'A wave breaks over you', changes: [{ path: 'player.coat', to: 'soaked' }, warmth(-2)] }],
  [{ because: 'burns low', changes: [{ path: 'player.lamp_oil', by: -0.5 }] }],
  [
    { because: 'Far off, a rocket flies.', changes: [{ path: 'world.night', by: 1 }] },
    {
      because: 'You bar the door',
      changes: [
        { path: 'flags.door_barred', to: true },
        { path: 'world.sea', by: -1 },
      ],
    },
  ],
]

const json = (edits: readonly Edit[]) => JSON.stringify({ edits })
const pretty = (edits: readonly Edit[]) => JSON.stringify({ edits }, null, 2)
const flat = (edits: readonly Edit[]) =>
  edits.flatMap(({ because, changes }) => changes.map((change) => ({ because, ...change })))
const renamed = (edits: readonly Edit[], names: Record<string, string>) =>
  pretty(edits).replace(/"(\w+)":/g, (_, name) => `"${names[name] ?? name}":`)

/** How an answer is botched. `lost` may not be read; what is read is never a wrong number. */
const WAYS: [what: string, botch: (edits: readonly Edit[]) => string, lost?: 'lost'][] = [
  ['in a fence', (edits) => `\`\`\`json\n${pretty(edits)}\n\`\`\``],
  ['in a fence that is not closed', (edits) => `\`\`\`json\n${pretty(edits)}`],
  ['behind words', (edits) => `Here is what changed:\n\n${json(edits)}`],
  ['before words', (edits) => `${json(edits)}\n\nThat is all that the passage tells.`],
  ['as a list', (edits) => JSON.stringify(edits)],
  ['as a flat list', (edits) => JSON.stringify({ edits: flat(edits) })],
  ['as lines', (edits) => edits.map((edit) => JSON.stringify(edit)).join('\n')],
  ['with trailing commas', (edits) => pretty(edits).replace(/([}\]"\d])\n/g, '$1,\n')],
  ['without commas', (edits) => pretty(edits).replace(/,\n/g, '\n')],
  ['with bare keys', (edits) => pretty(edits).replace(/"(\w+)":/g, '$1:')],
  ['in single quotes', (edits) => pretty(edits).replaceAll('"', "'")],
  ['in typographic quotes', (edits) => pretty(edits).replace(/"([^"]*)"/g, '“$1”')],
  ['with plus signs', (edits) => json(edits).replace(/"by":(\d)/g, '"by": +$1')],
  ['with numbers as texts', (edits) => json(edits).replace(/"by":(-?[\d.]+)/g, '"by": "$1"')],
  ['with signed texts', (edits) => json(edits).replace(/"by":(\d[\d.]*)/g, '"by": "+$1"')],
  ['with a typographic minus', (edits) => json(edits).replace(/"by":-([\d.]+)/g, '"by": "−$1"')],
  ['with Python’s booleans', (edits) => pretty(edits).replaceAll('true', 'True')],
  ['with comments', (edits) => pretty(edits).replace(/,\n/g, ', // so it is\n')],
  [
    'with paths in capitals',
    (edits) => json(edits).replace(/"path":"([^"]+)"/g, (all) => all.toUpperCase().replace('PATH', 'path')),
  ],
  ['with short paths', (edits) => json(edits).replace(/"path":"(?:\w+\.)+(\w+)"/g, '"path":"$1"')],
  ['with spaces in paths', (edits) => json(edits).replace(/_(?=\w+","(?:by|to))/g, ' ')],
  ['with other names for the change', (edits) => renamed(edits, { by: 'amount', to: 'value' })],
  ['with other names for quote and path', (edits) => renamed(edits, { because: 'quote', path: 'stat' })],
  ['with capital names', (edits) => renamed(edits, { because: 'Because', path: 'Path', by: 'By', to: 'To' })],
  [
    'with one change in place of a list',
    (edits) =>
      JSON.stringify({
        edits: edits.map(({ because, changes }) => ({
          because,
          changes: changes.length === 1 ? changes[0] : changes,
        })),
      }),
  ],
  [
    'with changes by path',
    (edits) =>
      JSON.stringify({
        edits: edits.map(({ because, changes }) => ({
          because,
          changes: Object.fromEntries(changes.map(({ path, ...change }) => [path, change])),
        })),
      }),
  ],
  [
    'with the quote behind the changes',
    (edits) => JSON.stringify({ edits: edits.map(({ because, changes }) => ({ changes, because })) }),
  ],
  [
    'with quotes in other letters',
    (edits) =>
      json(edits.map((edit) => ({ ...edit, because: edit.because.toUpperCase().replace(/[’“”]/g, '') }))),
  ],
  // What the model meant is lost or unclear.
  ['with totals', (edits) => json(edits).replace(/"by":(-?\d)/g, '"to":2$1'), 'lost'],
  [
    'with invented quotes',
    (edits) => json(edits.map((edit) => ({ ...edit, because: `Then ${edit.because} again` }))),
    'lost',
  ],
]

/** What counts, by canonical path, before any cap. */
function read(answer: string): Record<string, unknown> | null {
  const parsed = parseAnswer(answer, false, TOLD, paths)
  if (parsed === null) return null
  const { verdicts } = referee(LANTERN_ROCK, instantiate(LANTERN_ROCK), parsed.delta, 4)
  return Object.fromEntries(
    verdicts.flatMap((one) => {
      if (one.verdict === 'refused') return []
      return [[one.path, typeof one.asked === 'number' ? one.asked : one.new]]
    }),
  )
}

const wanted = (edits: readonly Edit[]) =>
  Object.fromEntries(flat(edits).map(({ path, by, to }) => [path, by ?? to]))
const cases = WAYS.flatMap(([what, botch, lost]) =>
  ANSWERS.map((edits, i) => ({ what: `${what} ${i}`, edits, answer: botch(edits), isLost: lost === 'lost' })),
)

describe('a malformed answer', () => {
  test('there are three hundred', () => expect(cases).toHaveLength(300))

  test('never names a wrong value', () => {
    const wrong = cases.flatMap(({ what, edits, answer }) => {
      const meant = wanted(edits)
      const found = Object.entries(read(answer) ?? {}).filter(([path, value]) => meant[path] !== value)
      return found.length === 0 ? [] : [[what, found, answer]]
    })
    expect(wrong).toEqual([])
  })

  test('is read in at least 95 of 100 cases', () => {
    const readable = cases.filter(({ isLost }) => !isLost)
    const unread = readable.filter(({ edits, answer }) => !Bun.deepEquals(read(answer), wanted(edits)))
    expect(unread.map(({ what }) => what).slice(0, readable.length * 0.05)).toEqual(
      unread.map(({ what }) => what),
    )
  })
})

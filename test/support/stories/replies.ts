import fc from 'fast-check'
import { type Step, say, thinkThenSay } from '../endpoint/endpoint.ts'
import { type Fields, rulesOf } from './referee-model.ts'
import type { Narration } from './story-model.ts'

/** Random replies of a model: prose and state blocks in every form that must be parsed, with the expected result. */

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

/** Writes changes into a reply. */
export function reply({ prose, style, at }: Manner, delta: Fields, schema: Fields): Reply {
  const passage = PROSE[prose % PROSE.length] ?? ''
  const written = blockIn(style, at, delta, schema)
  const { before = passage, block, after = '', meant = delta, unreadable = false, cut = null } = written
  const raw = [before, block, after].filter((part) => part !== '').join('\n\n')
  const text = [before.trim(), after.trim()].filter((part) => part !== '').join('\n\n')
  const whole = unmarked(raw.trim())
  return { raw, narration: { text: unmarked(text), whole, thinking: null, delta: meant, unreadable, cut } }
}

/** Without the mark of the player's lines, if it begins with one. */
export function unmarked(text: string): string {
  return text.startsWith('> ') ? text.replace(/^> /gm, '') : text
}

interface Written {
  before?: string
  block: string
  after?: string
  /** The changes that count; by default all of them. */
  meant?: Fields
  unreadable?: boolean
  cut?: Narration['cut']
}

function blockIn(style: number, at: number, delta: Fields, schema: Fields): Written {
  const json = JSON.stringify(delta)
  const plain = { block: fenced('state_delta', json) }
  // Without a label of its own, a block is known by its first key.
  const [first] = Object.keys(delta)
  const isKnown = first !== undefined && isShown(first, schema)
  const areKnown = isKnown && Object.keys(delta).every((path) => isShown(path, schema))
  switch (style) {
    case 0:
      return { block: '', meant: {} }
    case 1:
      return { ...plain, after: 'The night goes on.' }
    case 2:
      return { block: '', meant: {}, cut: 'length' }
    case 3:
      return twoBlocks(delta, at)
    case 4:
      return { block: fenced('state', json) }
    case 5:
      return { block: fenced('STATE_DELTA', json) }
    case 6:
      return { block: `~~~state_delta\n${json}\n~~~` }
    case 7:
      return isKnown ? { block: fenced('json', json) } : plain
    case 8:
      return isKnown ? { block: fenced('', json) } : plain
    case 9:
      return isKnown ? { block: json } : plain
    case 10:
      return areKnown ? nested(delta) : plain
    case 11:
      return { block: fenced('state_delta', loose(delta)) }
    case 12:
      return { block: fenced('state_delta', '???'), meant: {}, unreadable: true }
    case 13:
    case 14:
      return { ...brokenOff(delta, at), cut: style === 13 ? 'length' : null }
    case 15:
      return { block: `\`\`\`state_delta\n${json}` }
    case 16:
      return { block: `<state_delta>${json}</state_delta>` }
    case 17:
      return written(respelled(delta))
    case 18:
      return written([...Object.entries(delta), ...respelled(delta).slice(0, 1)])
    default:
      return plain
  }
}

function written(entries: [string, unknown][]): Written {
  const meant = asObject(entries)
  return { block: fenced('state_delta', JSON.stringify(meant)), meant }
}

/** The same paths, misspelled. */
function respelled(delta: Fields): [string, unknown][] {
  return Object.entries(delta).map(([path, value]) => [
    ` ${path.toUpperCase().replace('NPC.', 'npcs.')}`,
    value,
  ])
}

function fenced(label: string, body: string): string {
  return `\`\`\`${label}\n${body}\n\`\`\``
}

/** The later of two counts, and takes the later place. */
function twoBlocks(delta: Fields, at: number): Written {
  const entries = Object.entries(delta)
  const [one, other] = [entries.slice(0, at), entries.slice(at)]
  const [again] = one
  if (again) other.push([again[0], 3])
  const meant = new Map(one)
  for (const [path, value] of other) {
    meant.delete(path)
    meant.set(path, value)
  }
  return {
    block: [one, other].map((part) => fenced('state_delta', JSON.stringify(asObject(part)))).join('\n'),
    meant: asObject([...meant]),
  }
}

/** One object inside another, a level for each part of a path. */
function nested(delta: Fields): Written {
  const groups = new Map<string, [string, unknown][]>()
  for (const [path, value] of Object.entries(delta)) {
    const at = path.lastIndexOf('.')
    const holder = path.slice(0, at)
    groups.set(holder, [...(groups.get(holder) ?? []), [path.slice(at + 1), value]])
  }
  const object: Fields = {}
  for (const [holder, entries] of groups) {
    const [section = '', id] = holder.split('.')
    if (id === undefined) put(object, section, asObject(entries))
    else put(object, section, { ...(object[section] as Fields), [id]: asObject(entries) })
  }
  const meant = Object.entries(object).flatMap(([section, entries]) =>
    Object.entries(entries as Fields).flatMap(([name, value]): [string, unknown][] =>
      section === 'npc'
        ? Object.entries(value as Fields).map(([stat, one]) => [`npc.${name}.${stat}`, one])
        : [[`${section}.${name}`, value]],
    ),
  )
  return { block: fenced('state_delta', JSON.stringify(object, null, 1)), meant: asObject(meant) }
}

/** Trailing commas, plus signs, Python booleans, a comment. */
function loose(delta: Fields): string {
  const lines = Object.entries(delta).map(([path, value]) => {
    const written =
      typeof value === 'number' && value > 0
        ? `+${value}`
        : typeof value === 'boolean'
          ? value
            ? 'True'
            : 'False'
          : JSON.stringify(value)
    return `  ${JSON.stringify(path)}: ${written},\n`
  })
  return `{\n${lines.join('')}  // so it is\n}`
}

/** Ends within a key: the pairs before it are whole. */
function brokenOff(delta: Fields, at: number): Written {
  const entries = Object.entries(delta)
  const whole = entries.slice(0, at)
  const rest = entries[at] ? JSON.stringify(entries[at][0]).slice(0, 1 + (at % 3)) : ''
  const body = whole.map(([path, value]) => `${JSON.stringify(path)}: ${JSON.stringify(value)}, `).join('')
  return { block: `\`\`\`state_delta\n{${body}${rest}`, meant: asObject(whole) }
}

function isShown(path: string, schema: Fields): boolean {
  const rule = rulesOf(schema).get(path)
  return rule !== undefined && rule.def.hidden !== true
}

function asObject(entries: [string, unknown][]): Fields {
  const object: Fields = {}
  for (const [key, value] of entries) put(object, key, value)
  return object
}

function put(holder: Fields, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true })
}

const PIECES = [1, 2, 1, 3, 7, 1, 2, 1, 3, 1, 1, 60]

/** The step of the fake model server that sends a reply. */
export function stepOf({ raw, narration: { thinking, cut } }: Reply, { at }: Manner): Step {
  const saying = { pieces: PIECES[at % PIECES.length] ?? 1, finish: cut === 'length' ? 'length' : 'stop' }
  return thinking === null ? say(raw, saying) : thinkThenSay(thinking, raw, saying)
}

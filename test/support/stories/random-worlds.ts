import fc from 'fast-check'

/** Random schemas, changes and sequences of operations, for testing the rules of the world state. */

export type Fields = Record<string, unknown>

export type WorldOperation =
  | { kind: 'turn' | 'retry'; delta: Fields }
  | { kind: 'switch'; to: number }
  | { kind: 'hand'; values: Fields }
  | { kind: 'undo' | 'fail' }

/** One proposed change before the paths are known: the index of its path, and what to do with it. */
export type Pick = [place: number, manner: number, amount: number, words: string, oddity: number]

interface Place {
  path: string
  kind: 'number' | 'text' | 'flag' | 'milestone'
  options: string[]
}

const NAMES = [
  'hp',
  'gold',
  'Gold',
  'lamp oil',
  'lamp_oil',
  'Größe',
  '名声',
  'здоровье',
  '𝒳',
  "captain's-luck",
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'length',
  'null',
  'true',
  'a/b~c',
  '%s',
]
const IDS = ['ottoline', 'the mate', 'constructor', 'Ärger', 'toString', 'x1']
/** Paths that do not exist, however tolerantly they are read. */
const STRAYS = [
  '',
  '.',
  '..',
  'nowhere',
  'world',
  'world.',
  '.nowhere',
  'world.nowhere',
  'player.no.where',
  'npc',
  'npc.nobody',
  'npc.nobody.mood',
  'npc.ottoline.nowhere',
  'flags.nowhere',
  'milestones.nowhere',
  '__proto__',
  'world.__proto__',
  'player.__proto__.polluted',
  'npc.__proto__.toString',
  'flags.__proto__',
  'milestones.__proto__',
  '_meta.last_changed',
  'prototype',
  'x'.repeat(300),
]
/** Values that a path rarely accepts. */
const ODDITIES: readonly unknown[] = [
  null,
  true,
  false,
  'true',
  'false',
  'TRUE',
  '',
  '   ',
  0,
  -0,
  1e-9,
  -1e-9,
  4e-7,
  6e-7,
  -6e-7,
  0.1,
  0.30000000000000004,
  1e308,
  -1e308,
  1e21,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_VALUE,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  'NaN',
  'Infinity',
  '1e999',
  '-1e999',
  '1_000',
  '0x10',
  '1,5',
  '5.',
  '.5',
  '.',
  '+',
  '-',
  '--1',
  '5%',
  '+3',
  '−4',
  '–2.5',
  ' -5 ',
  '1e2',
  '2E-1',
  '-0',
  '٣',
  `1.${'0'.repeat(38)}`,
  `1.${'0'.repeat(39)}`,
  `${' '.repeat(60)}7`,
  undefined,
  [1],
  [],
  {},
  { d: 1 },
  { hp: { gold: [1, { deep: true }] } },
  JSON.parse('{"__proto__": {"polluted": true}}'),
  'x'.repeat(600),
  '🜲'.repeat(600),
  '\ud800',
  '\u00a0warm\ufeff',
]
const OPTIONS = ['calm', 'STORM', 'Straße', 'two words', ' padded ', 'İ', '名']
const WORDS = [
  '',
  'a tarred canvas coat',
  '  wet  ',
  'ab cd ef gh',
  '🜲🜲🜲🜲🜲',
  'naïve',
  'calm',
  'x'.repeat(520),
]

const oneOf = <T>(values: readonly T[]) => fc.constantFrom(...values)
const rarely = fc.integer({ min: 0, max: 9 }).map((n) => n === 0)

const amounts = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: -30, max: 120 }) },
  { weight: 3, arbitrary: fc.integer({ min: -3_000, max: 12_000 }).map((n) => n / 100) },
  { weight: 1, arbitrary: oneOf([0, -0, 0.1, 0.000_001, 1 / 3, 1e15, -1e15, Number.MAX_SAFE_INTEGER]) },
  { weight: 1, arbitrary: fc.constant(null) },
)
const caps = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 12 }) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 99 }).map((n) => n / 10) },
  { weight: 1, arbitrary: oneOf([0, 0.000_001, 1 / 3, 1e9, null]) },
)
const cooldowns = fc.integer({ min: 0, max: 5 })
const bands = oneOf([
  null,
  [],
  [
    [-50, 0, 'low'],
    [0, 10, 'fair'],
    [10, 60, 'high'],
  ],
  [
    [0, 1, 'none'],
    [1, 9.5, 'some'],
    [20, 200, 'full'],
  ],
  [[-1e9, 1e9, 'known']],
])

const numberStats = fc
  .record(
    {
      type: oneOf(['number', 'number', 'counter', 'counter', null]),
      initial: amounts,
      min: amounts,
      max: amounts,
      max_delta_per_turn: caps,
      max_gain_per_turn: caps,
      max_loss_per_turn: caps,
      cooldown: cooldowns,
      bands,
      hidden: rarely,
    },
    { requiredKeys: [], noNullPrototype: true },
  )
  .map(inOrder)

const textStats = fc.record(
  {
    type: fc.constant('text'),
    initial: oneOf(WORDS),
    max_length: oneOf([1, 4, 8, 24, 600, null]),
    options: fc.oneof(
      { weight: 1, arbitrary: fc.constant(null) },
      { weight: 2, arbitrary: fc.subarray(OPTIONS, { minLength: 1 }) },
    ),
    cooldown: cooldowns,
    hidden: rarely,
  },
  { requiredKeys: ['type'], noNullPrototype: true },
)

const stats = fc.oneof({ weight: 3, arbitrary: numberStats }, { weight: 1, arbitrary: textStats })
const flags = fc.record(
  { initial: fc.boolean(), desc: fc.constant('a light') },
  { requiredKeys: [], noNullPrototype: true },
)
const milestones = fc.record({ desc: fc.constant('a deed') }, { requiredKeys: [], noNullPrototype: true })
const npcs = fc.record(
  {
    name: oneOf(['', 'Mme. Größe', 'The Third Juror']),
    desc: oneOf(['', 'Keeps the lamp.']),
    stats: named(NAMES, stats, 1),
  },
  { requiredKeys: ['stats'], noNullPrototype: true },
)

const sections = fc
  .record(
    {
      world: named(NAMES, stats, 1),
      player: named(NAMES, stats, 1),
      npcs: named(IDS, npcs, 0),
      flags: named(NAMES, flags, 1),
      milestones: named(NAMES, milestones, 1),
    },
    { requiredKeys: [], noNullPrototype: true },
  )
  .map(withoutLookalikes)

/** Valid schemas with all rules and awkward names. */
export function schemas(): fc.Arbitrary<Fields> {
  return sections
}

/** Changes before their paths are known; `changesFor` applies them to a schema. */
export const picks = fc.array(
  fc.tuple(
    fc.nat({ max: 63 }),
    fc.nat({ max: 19 }),
    fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: -15, max: 15 }) },
      { weight: 2, arbitrary: fc.integer({ min: -999, max: 999 }).map((n) => n / 100) },
      { weight: 1, arbitrary: fc.double({ min: -500, max: 500, noNaN: true }) },
      { weight: 1, arbitrary: fc.integer({ min: -100_000, max: 100_000 }) },
    ),
    oneOf(WORDS),
    fc.nat({ max: ODDITIES.length - 1 }),
  ),
  { maxLength: 7 },
)

/** Proposed changes: mostly of existing paths and the right type, with everything that a model can get wrong. */
export function deltas(schema: Fields): fc.Arbitrary<Fields> {
  const places = placesIn(schema)
  return picks.map((picked) => changesFrom(picked, places, false))
}

/** The changes that some picks stand for under a schema. */
export function changesFor(schema: Fields, picked: Pick[], byHand: boolean): Fields {
  return changesFrom(picked, placesIn(schema), byHand)
}

/** Values for a player to set: absolute, and in both directions. */
export function handValues(schema: Fields): fc.Arbitrary<Fields> {
  const places = placesIn(schema)
  return picks.map((picked) => changesFrom(picked, places, true))
}

const choices = fc.array(fc.tuple(fc.nat({ max: 15 }), fc.nat({ max: 4 }), picks), {
  minLength: 1,
  maxLength: 12,
})

/** A sequence of operations. */
export function operations(schema: Fields): fc.Arbitrary<WorldOperation[]> {
  const places = placesIn(schema)
  return choices.map((list) =>
    list.map(([choice, to, picked]): WorldOperation => {
      if (choice < 5) return { kind: 'turn', delta: changesFrom(picked, places, false) }
      if (choice < 8) return { kind: 'retry', delta: changesFrom(picked, places, false) }
      if (choice < 10) return { kind: 'switch', to }
      if (choice < 12) return { kind: 'undo' }
      if (choice < 15) return { kind: 'hand', values: changesFrom(picked, places, true) }
      return { kind: 'fail' }
    }),
  )
}

function changesFrom(picked: Pick[], places: Place[], byHand: boolean): Fields {
  const changes: Fields = {}
  for (const [at, manner, amount, words, oddity] of picked) {
    // A few paths recur, so that cooldowns apply.
    const place = places[at % (at < 24 ? Math.min(2, places.length) : places.length)]
    if (manner === 19 || place === undefined) put(changes, strayAt(at, places), amount)
    else if (manner >= 15) put(changes, place.path, ODDITIES[oddity])
    else put(changes, place.path, fitting(place, { manner, amount, words }, byHand))
  }
  return changes
}

/** A change of the right kind for its path. */
function fitting(
  place: Place,
  { manner, amount, words }: { manner: number; amount: number; words: string },
  byHand: boolean,
): unknown {
  if (place.kind === 'flag') return manner % 2 === 0
  if (place.kind === 'milestone') return !byHand || manner % 3 > 0
  if (place.kind === 'number')
    return manner === 0 ? `+${Math.abs(amount)}` : manner === 1 ? ` ${amount}` : amount
  const option = place.options[manner % (place.options.length || 1)]
  if (option === undefined || manner > 10) return words
  return manner % 3 === 0 ? option : manner % 3 === 1 ? option.toUpperCase() : ` ${option.toLowerCase()}\n`
}

// Inherited property names are also unknown paths, unless a name of the schema could be meant.
function strayAt(at: number, places: Place[]): string {
  const inherited = ['world.constructor', 'player.toString', 'flags.valueOf', 'npc.ottoline.hasOwnProperty'][
    at % 4
  ]
  const name = inherited?.slice(inherited.lastIndexOf('.'))
  const isFree = name !== undefined && !places.some(({ path }) => path.endsWith(name))
  return at % 3 === 0 && inherited && isFree ? inherited : (STRAYS[at % STRAYS.length] ?? '')
}

/** Every path of a schema, with its kind. */
function placesIn(schema: Fields): Place[] {
  const places: Place[] = []
  const addStats = (prefix: string, defs: unknown) => {
    for (const [name, def] of entriesOf(defs))
      places.push({
        path: `${prefix}.${name}`,
        kind: def.type === 'text' ? 'text' : 'number',
        options: (def.options ?? []) as string[],
      })
  }
  addStats('world', schema.world)
  addStats('player', schema.player)
  for (const [id, npc] of entriesOf(schema.npcs)) addStats(`npc.${id}`, npc.stats)
  for (const [name] of entriesOf(schema.flags))
    places.push({ path: `flags.${name}`, kind: 'flag', options: [] })
  for (const [name] of entriesOf(schema.milestones))
    places.push({ path: `milestones.${name}`, kind: 'milestone', options: [] })
  return places
}

/** Up to three entries under names of a list. */
function named<T>(names: readonly string[], entry: fc.Arbitrary<T>, least: number): fc.Arbitrary<Fields> {
  return fc
    .uniqueArray(fc.tuple(oneOf(names), entry), {
      minLength: least,
      maxLength: 3,
      selector: ([name]) => name,
    })
    .map((entries) => {
      const section: Fields = {}
      for (const [name, value] of entries) put(section, name, value)
      return section
    })
}

function inOrder(def: Fields): Fields {
  const { min, max } = def
  return typeof min === 'number' && typeof max === 'number' && min > max
    ? { ...def, min: max, max: min }
    : def
}

// A hidden stat with a visible lookalike is mistaken for it, which the model does not cover.
function withoutLookalikes(schema: Fields): Fields {
  return statGroups(schema).some(hasLookalikes) ? allShown(schema) : schema
}

function hasLookalikes(group: unknown): boolean {
  const alike = entriesOf(group).map(([name]) => name.toLowerCase().replace(/[\s_-]+/g, ' '))
  return new Set(alike).size < alike.length
}

function allShown(schema: Fields): Fields {
  const copy = structuredClone(schema)
  for (const group of statGroups(copy)) for (const [, def] of entriesOf(group)) delete def.hidden
  return copy
}

function statGroups(schema: Fields): unknown[] {
  return [schema.world, schema.player, ...entriesOf(schema.npcs).map(([, npc]) => npc.stats)]
}

function put(holder: Fields, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true })
}

function entriesOf(section: unknown): [string, Fields][] {
  return Object.entries((section ?? {}) as Record<string, Fields>)
}

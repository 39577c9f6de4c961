import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import fc from 'fast-check'
import type { Library } from '../../../src/db/library.ts'
import { searchStory } from '../../../src/db/search/recall-search.ts'
import { deleteActions, insertAction, updateActionText } from '../../../src/db/tables/actions/write.ts'
import { insertMemory } from '../../../src/db/tables/memory/memories.ts'
import { isQuestion, lineTerms } from '../../../src/domain/recall/line-terms.ts'
import { leastScore, worthRecalling } from '../../../src/domain/recall/ranking.ts'
import { runs } from '../../support/depth.ts'
import { openLibrary } from '../../support/library/open.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const NOW = new Date('2026-01-01T00:00:00Z')

test('finds the passage that a line speaks of, in every script', () => {
  using library = filled([
    ...filler(30),
    'The innkeeper hides a silver compass under the third stair.',
    '店主把银罗盘藏在第三级楼梯下面。',
    'Трактирщик прячет серебряный компас под лестницей.',
    'Der Wirt versteckt den Kompass unter der Treppe.',
    'בעל הפונדק מחביא מצפן כסף מתחת למדרגה.',
    ...filler(30),
  ])
  expect(found(library, 'Where did the innkeeper hide the silver compasses?')).toBe(30)
  expect(found(library, '银罗盘在哪里？')).toBe(31)
  expect(found(library, 'Где серебряным компасом?')).toBe(32)
  expect(found(library, 'Wo hat der Wirt den Kompass versteckt?')).toBe(33)
  expect(found(library, 'איפה מצפן כסף?')).toBe(34)
})

test('what answers a question is found by the words of the question', () => {
  using library = filled([
    ...filler(20),
    '> You say "What is the password of the smugglers, Orla?"',
    'She bends to your ear. "Marigold," she whispers.',
    'Orla and the smugglers row away. Nobody knows the password of the customs house.',
    ...filler(20),
  ])
  expect(found(library, 'Which password did the smugglers have?')).toBe(21)
})

test('a passage is found together with its neighbours, and only before the window', () => {
  using library = filled([
    ...filler(20),
    'Mother Agathe opens the herbarium.',
    'She shows you the nightshade.',
    ...filler(20),
    'The nightshade again.',
    ...filler(20),
  ])
  const nightshade = search(library, 'What does Agathe say of the nightshade?').filter(({ text }) =>
    text.includes('nightshade'),
  )
  expect(nightshade.map(({ index }) => index)).toEqual([21, 42])
  expect(search(library, 'nightshade', 21).map(({ index }) => index)).not.toContain(21)
  expect(search(library, 'nightshade', 0)).toEqual([])
})

test('a word that only another story has often is rare in this one', () => {
  using library = filled([...filler(40), 'She shows you the nightshade.'])
  const wanted = { terms: lineTerms('the nightshade'), endingBefore: 100, least: leastScore(true) }
  const here = () => searchStory(library.reader, 1, wanted)[0]?.index
  expect(here()).toBe(40)
  library.write((tx) => {
    const often = { adventure_id: 2, type: 'ai', text: 'Nightshade.', world_state_before: null } as const
    for (let index = 50; index < 150; index++) insertAction(tx, { ...often, index }, NOW)
  })
  expect(here()).toBe(40)
})

test('lines that say nothing in particular recall nothing', () => {
  using library = filled([...filler(100), 'He walks on and looks around.', ...filler(100)])
  for (const line of ['I walk on.', 'I look around.', '', '> You wait.', '?', '"'])
    expect(worth(library, line)).toEqual([])
})

test('any line can be looked for', () => {
  using library = filled(filler(5))
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (line) => {
      search(library, `${line} lamp" OR ${line}`)
    }),
  )
})

test('rows read for a line do not grow with the story', () => {
  const rowsIn = (count: number) => {
    let rows = 0
    using library = filled(filler(count), (read) => {
      rows += read.length
    })
    search(library, 'the lamp 7')
    rows = 0
    search(library, 'Who lit lamp 5 of the harbour?')
    return rows
  }
  expect(rowsIn(2_000)).toBeLessThanOrEqual(rowsIn(400) + 10)
})

const WORDS = ['lamp', 'river', 'moon']
const operation = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      word: fc.constantFrom(...WORDS),
      at: fc.nat(9),
    }),
  },
  fc.record({
    kind: fc.constantFrom('edit' as const, 'delete' as const),
    word: fc.constantFrom(...WORDS),
    at: fc.nat(9),
  }),
)

test('after any writes exactly the passages with a word are found, in any order of ids and indexes', () => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 25 }), (operations) => {
      using library = filled([])
      let told: { id: number; index: number; text: string }[] = []
      let next = 0
      for (const { kind, word, at } of operations) {
        const one = told[at % Math.max(1, told.length)]
        library.write((tx) => {
          if (kind === 'add') {
            // Mostly at the end, as stories grow; sometimes before it.
            const index = at === 0 ? 0 : ++next
            const id = insertAction(
              tx,
              { adventure_id: 1, index, type: 'do', text: word, world_state_before: null },
              NOW,
            )
            told.push({ id, index, text: word })
          } else if (one && kind === 'edit') {
            updateActionText(tx, one.id, word, [])
            one.text = word
          } else if (one) {
            deleteActions(tx, 1, [one.id], NOW)
            told = told.filter((other) => other !== one)
          }
        })
        for (const wanted of WORDS) {
          const here = search(library, wanted).filter(({ text }) => text === wanted)
          const ids = told.filter(({ text }) => text === wanted).map(({ id }) => id)
          expect(here.map(({ id }) => id).sort()).toEqual(ids.sort())
          for (const { id, index } of here)
            expect(told.find((other) => other.id === id)?.index).toBe(index ?? -1)
        }
      }
    }),
    { numRuns: runs(40) },
  )
})

describe('notes', () => {
  const write = (library: Library, ...notes: Parameters<typeof insertMemory>[2][]) =>
    library.write((tx) => {
      for (const note of notes) insertMemory(tx, 1, note, NOW)
    })
  const note = (text: string, more = {}) => ({ text, source: null, ...more })

  test('are found by their own words from the first passage on, whatever the window shows', () => {
    using library = filled(['The rain falls.'])
    write(library, note('Mother Agathe distrusts the ferryman.'), note('The bell of Orrin is cracked.'))
    const hits = (line: string) => worth(library, line, 0).map(({ text }) => text)
    expect(hits('I ask Agathe about the ferryman.')).toEqual(['Mother Agathe distrusts the ferryman.'])
    expect(hits('What do I know of the bell?')).toEqual(['The bell of Orrin is cracked.'])
    expect(hits('I walk on.')).toEqual([])
  })

  test('are ranked with the passages, and lend nothing to their neighbours', () => {
    using library = filled([...filler(60), 'The kestrel sits on the quarry wall.'])
    write(library, note('A kestrel took the thimble.'), note('Orla sings.'))
    const hits = search(library, 'Which kestrel took the thimble?')
    expect(hits[0]).toMatchObject({ index: null, text: 'A kestrel took the thimble.' })
    expect(hits.map(({ index, text }) => index ?? text)).not.toContain('Orla sings.')
    expect(hits.map(({ index }) => index)).toContain(60)
  })

  test('of another story, forgotten ones, and memories of passages are not among them', () => {
    using library = filled(filler(3))
    const source = { start: 0, end: 1, hash: '' }
    write(library, note('A kestrel.', { forgotten: true }), note('A kestrel.', { stale: true }))
    write(library, { text: 'A kestrel.', source })
    library.write((tx) => insertMemory(tx, 2, note('A kestrel.'), NOW))
    expect(search(library, 'the kestrel')).toEqual([])
  })
})

function filler(count: number): string[] {
  return Array.from(
    { length: count },
    (_, i) => `The rain falls on lamp ${i}, and the road goes on to the next.`,
  )
}

function filled(texts: string[], watch: (rows: readonly unknown[]) => void = () => {}): Library {
  const library = openLibrary(join(temporaryFolder(), 'library.db'), {
    starters: [],
    watch: (_, rows) => watch(rows),
  })
  library.write((tx) => {
    tx.insert('adventures', { id: 1, title: 'A story' })
    tx.insert('adventures', { id: 2, title: 'Another' })
    for (const [index, text] of texts.entries())
      for (const adventure_id of [1, 2])
        insertAction(tx, { adventure_id, index, type: 'ai', text, world_state_before: null }, NOW)
  })
  return library
}

function search(library: Library, line: string, before = Number.POSITIVE_INFINITY) {
  return searchStory(library.reader, 1, { terms: lineTerms(line), endingBefore: before })
}

function worth(library: Library, line: string, before = Number.POSITIVE_INFINITY) {
  return worthRecalling(search(library, line, before), isQuestion(line))
}

function found(library: Library, line: string): number | undefined {
  return worth(library, line)[0]?.index ?? undefined
}

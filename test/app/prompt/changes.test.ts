import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { recallFor } from '../../../src/app/prompt/recall.ts'
import { insertAction } from '../../../src/db/tables/actions/write.ts'
import { deleteMemory, insertMemory, listChangeNotes } from '../../../src/db/tables/memory/memories.ts'
import { notesShownIn } from '../../../src/domain/prompt/notes.ts'
import { memoryLine } from '../../../src/domain/prompt/turn-notes.ts'
import { changeOf, readNote } from '../../../src/domain/recall/changes.ts'
import { choosePassages } from '../../../src/domain/recall/passage-notes.ts'
import { openLibrary } from '../../support/library/open.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const NOW = new Date('2026-01-01T00:00:00Z')
const PLANTED = join(import.meta.dir, '../../domain/recall/planted')
const rowsOf = async <Row extends string[]>(name: string) =>
  (await Bun.file(join(PLANTED, name)).text())
    .trim()
    .split('\n')
    .map((line) => line.split('|') as Row)
/** Facts, what changes them, and a question; a note may repeat a fact in the words in which it was told. */
const CHANGES = await rowsOf<[was: string, is: string, noLonger: string, question: string]>('changes.txt')
/** The same facts as a note says them that has words of its own, and what stays true of the same persons and things. */
const OTHERWISE = await rowsOf<[noLonger: string, still: string]>('paraphrased.txt')
const SCENE =
  'Rain ran down the panes.|Somewhere a door closed.|Nobody spoke for a while.|The lamps burned low.|A cart rattled by outside.'.split(
    '|',
  )

/** A story that tells all facts, then all changes, between other sentences, with a scripted note on each. */
function planted(noLonger: (at: number) => string) {
  const library = openLibrary(join(temporaryFolder(), 'library.db'), { starters: [] })
  const told = [
    ...CHANGES.map(([was]) => [was, was] as const),
    ...OTHERWISE.map(([, still]) => [still, still] as const),
    ...CHANGES.map(([, is], at) => [is, `${is}\nNo longer: ${noLonger(at)}`] as const),
  ]
  library.write((tx) => {
    tx.insert('adventures', { id: 1, title: 'A story', memory_bank_enabled: true })
    for (const [index, [fact, reply]] of told.entries()) {
      const [before, after] = [SCENE[index % SCENE.length], SCENE[(3 * index + 1) % SCENE.length]]
      const text = `${before} ${fact} ${after}`
      insertAction(tx, { adventure_id: 1, index, type: 'ai', text, world_state_before: null }, NOW)
      insertMemory(tx, 1, { ...readNote(reply), source: { start: index, end: index, hash: '' } }, NOW)
    }
  })
  return library
}
const inSameWords = (at: number) => CHANGES[at]?.[2] ?? ''
const inOtherWords = (at: number) => OTHERWISE[at]?.[0] ?? ''

/** The notes that a turn with a line would have, in their order. */
function notesOf({ reader }: ReturnType<typeof planted>, line: string): string[] {
  const changes = listChangeNotes(reader, 1).map(changeOf)
  const options = { topK: 5, line: `> ${line}`, query: null, changes: () => changes, answers: {} }
  const { memories, passages } = recallFor(reader, { id: 1, memory_bank_enabled: true }, options)(10_000)
  const quoted = choosePassages(passages, notesShownIn([]), 1_000).notes.map(({ text }) => text)
  return [...memories.map(memoryLine), ...quoted]
}

for (const [words, noLonger] of [
  ['the same words', inSameWords],
  ['other words', inOtherWords],
] as const)
  test(`of 100 planted changes that notes tell in ${words}, what is so now stands first, and what was so before never alone`, () => {
    using library = planted(noLonger)
    const outcomes = CHANGES.map(([was, is, , question]) => {
      const notes = notesOf(library, question)
      const present = notes.findIndex((note) => note.includes(is))
      const past = notes.findIndex((note) => note.includes(was))
      const plain = notes.some((note) => note.includes(was) && !note.startsWith('[Formerly'))
      return {
        isFirst: present >= 0 && (past < 0 || present < past),
        isAlone: past >= 0 && present < 0,
        isPlain: plain,
        question,
      }
    })
    expect(outcomes.filter(({ isAlone }) => isAlone).map(({ question }) => question)).toEqual([])
    expect(outcomes.filter(({ isFirst }) => isFirst).length).toBeGreaterThanOrEqual(95)
    expect(outcomes.filter(({ isPlain }) => isPlain).length).toBeLessThanOrEqual(5)
  })

test('facts that stay true of the same persons and things are not marked as former', () => {
  using library = planted(inOtherWords)
  const former = OTHERWISE.filter(([, still]) =>
    notesOf(library, still).some((note) => note.includes(still) && note.startsWith('[Formerly')),
  )
  expect(former.length).toBeLessThanOrEqual(5)
})

test('when the change is taken back, what was so before is so again', () => {
  using library = planted(inOtherWords)
  const [was = '', is = '', , question = ''] = CHANGES[0] ?? []
  expect(notesOf(library, question)).toContain(`[Formerly in the story: ${was}]`)
  const change = library.reader.get<{ id: number }>('SELECT id FROM memories WHERE text = ?', is)
  library.write((tx) => deleteMemory(tx, change?.id ?? 0))
  expect(notesOf(library, question)).toContain(`[Earlier in the story: ${was}]`)
})

test('a note is read without what it says is no longer so', () => {
  expect(readNote('The bridge fell.\nNo longer: The bridge stood.')).toEqual({
    text: 'The bridge fell.',
    no_longer: 'The bridge stood.',
  })
  for (const none of ['They met.', 'They met.\nNo longer: nothing.', '**No longer:** None\n\nThey met.'])
    expect(readNote(none)).toEqual({ text: 'They met.', no_longer: '' })
})

test('in the script of any language', () => {
  expect(readNote('Мост упал.\nNo longer: Мост стоял.')).toEqual({
    text: 'Мост упал.',
    no_longer: 'Мост стоял.',
  })
  expect(readNote('橋が落ちた。\nNo longer：橋があった。')).toEqual({
    text: '橋が落ちた。',
    no_longer: '橋があった。',
  })
})

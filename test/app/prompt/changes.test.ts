import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { newestTexts, recallFor } from '../../../src/app/prompt/recall.ts'
import { passagesFor } from '../../../src/app/prompt/recall-passages.ts'
import { toldStory, withLine } from '../../../src/app/prompt/told-story.ts'
import { insertAction } from '../../../src/db/tables/actions/write.ts'
import { deleteMemory, insertMemory, listChangeNotes } from '../../../src/db/tables/memory/memories.ts'
import { notesShownIn } from '../../../src/domain/prompt/notes.ts'
import { memoryLine } from '../../../src/domain/prompt/turn-notes.ts'
import { readNote } from '../../../src/domain/recall/changes.ts'
import { choosePassages } from '../../../src/domain/recall/passage-notes.ts'
import { openLibrary } from '../../support/library/open.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const NOW = new Date('2026-01-01T00:00:00Z')
const TABLE = await Bun.file(join(import.meta.dir, '../../domain/recall/planted/changes.txt')).text()
const CHANGES = TABLE.trim()
  .split('\n')
  .map((line) => line.split('|') as [was: string, is: string, noLonger: string, question: string])

/** A story that tells all facts, then all changes, with a scripted note on each. */
function planted() {
  const library = openLibrary(join(temporaryFolder(), 'library.db'), { starters: [] })
  const told = [...CHANGES.map(([was]) => was), ...CHANGES.map(([, is]) => is)]
  const replies = [
    ...CHANGES.map(([was]) => was),
    ...CHANGES.map(([, is, noLonger]) => `${is}\nNo longer: ${noLonger}`),
  ]
  library.write((tx) => {
    tx.insert('adventures', { id: 1, title: 'A story', memory_bank_enabled: true })
    for (const [index, text] of told.entries()) {
      insertAction(tx, { adventure_id: 1, index, type: 'ai', text, world_state_before: null }, NOW)
      const source = { start: index, end: index, hash: '' }
      insertMemory(tx, 1, { ...readNote(replies[index] ?? ''), source }, NOW)
    }
  })
  return library
}

/** The notes that a turn with a line would have, in their order. */
function notesOf({ reader }: ReturnType<typeof planted>, line: string): string[] {
  const adventure = { id: 1, memory_bank_enabled: true } as Parameters<typeof recallFor>[1]
  const story = withLine(toldStory(reader, 1, null), line)
  const options = {
    topK: 5,
    texts: newestTexts(story),
    query: null,
    changes: () => listChangeNotes(reader, 1),
  }
  const passages = passagesFor(reader, adventure, { ...options, answers: {} })(10_000)
  const present = passages.flatMap(({ changedBy }) => changedBy ?? [])
  const memories = recallFor(reader, adventure, options)(10_000, [], present)
  const quoted = choosePassages(passages, notesShownIn([]), 1_000).notes.map(({ text }) => text)
  return [...memories.map(memoryLine), ...quoted]
}

test('of 100 planted changes what is so now stands first, and what was so before never alone', () => {
  using library = planted()
  const outcomes = CHANGES.map(([was, is, , question]) => {
    const notes = notesOf(library, question)
    const present = notes.findIndex((note) => note.includes(is))
    const past = notes.findIndex((note) => note.includes(was))
    const plain = notes.some((note) => note.includes(was) && !note.startsWith('[Formerly'))
    return {
      isFirst: present >= 0 && (past < 0 || present < past),
      isAlone: past >= 0 && (present < 0 || plain),
      question,
    }
  })
  expect(outcomes.filter(({ isAlone }) => isAlone).map(({ question }) => question)).toEqual([])
  expect(outcomes.filter(({ isFirst }) => isFirst).length).toBeGreaterThanOrEqual(95)
})

test('when the change is taken back, what was so before is so again', () => {
  using library = planted()
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

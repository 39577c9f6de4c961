import { expect, test } from 'bun:test'
import { choosePassages, type RecalledPassage } from '../../../src/domain/recall/passage-notes.ts'

const passage = (index: number, quote: string): RecalledPassage => ({
  index,
  text: quote,
  quote,
  terms: ['bell'],
  via: 'words',
  changedBy: null,
})

test('quotes stand in the order of the story, the best as far as they fit', () => {
  const recalled = [passage(30, 'A bell.'), passage(7, 'The bell. '.repeat(40)), passage(12, 'Bells.')]
  const { notes, passages } = choosePassages(recalled, { passages: new Set() }, 60)
  expect(notes.map(({ text }) => text)).toEqual([
    '[Earlier, passage 12: Bells.]',
    '[Earlier, passage 30: A bell.]',
  ])
  expect(passages.map(({ index, reason }) => [index, reason])).toEqual([
    [30, 'told'],
    [12, 'told'],
  ])
  expect(choosePassages(recalled, { passages: new Set() }, 0).notes).toEqual([])
})

test('a quote that the window shows is not repeated, and costs nothing', () => {
  const recalled = [passage(3, 'A bell.')]
  const { shown } = choosePassages(recalled, { passages: new Set() }, 60)
  const again = choosePassages(recalled, { passages: new Set(shown.map(([, hash]) => hash)) }, 0)
  expect(again).toMatchObject({ notes: [], shown: [], passages: [{ index: 3, reason: 'already told' }] })
})

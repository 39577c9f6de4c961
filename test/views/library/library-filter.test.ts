import { describe, expect, test } from 'bun:test'
import type { AdventureListItem } from '../../../src/domain/adventure.ts'
import {
  filterStories,
  libraryFilterFrom,
  NO_FILTER,
  tagsIn,
} from '../../../src/views/library/library-filter.ts'
import { withBranches } from '../../../src/views/library/with-branches.ts'
import { agoInWords } from '../../../src/views/ui/time.tsx'

const story = (id: number, title: string, more: Partial<AdventureListItem> = {}): AdventureListItem => ({
  id,
  scenario_id: null,
  scenario_title: null,
  title,
  tags: '',
  shelf: 'open',
  created_at: `2026-01-0${id}T00:00:00.000Z`,
  updated_at: `2026-02-0${10 - id}T00:00:00.000Z`,
  action_count: id * 10,
  family: null,
  branch_name: '',
  language: '',
  snippet: '',
  icon: '',
  image_url: '',
  ...more,
})

const stories = [
  story(1, 'The lamp', { tags: 'Sea, ghosts', snippet: 'Oil burns low.' }),
  story(2, 'Bells', { tags: 'city', shelf: 'archived' }),
  story(3, 'A ferry', { tags: 'sea', shelf: 'pinned' }),
  story(4, 'Zebra', { tags: '' }),
]

describe('what a view shows, the pinned first', () => {
  const cases: [what: string, view: Record<string, string>, titles: string[]][] = [
    ['nothing said', {}, ['A ferry', 'The lamp', 'Zebra']],
    ['begun last', { order: 'begun' }, ['A ferry', 'Zebra', 'The lamp']],
    ['by title', { order: 'title' }, ['A ferry', 'The lamp', 'Zebra']],
    ['the longest first', { order: 'length' }, ['A ferry', 'Zebra', 'The lamp']],
    ['an order that there is not', { order: 'smell' }, ['A ferry', 'The lamp', 'Zebra']],
    ['the archive', { shelf: 'archived' }, ['Bells']],
    ['a shelf that there is not', { shelf: 'pinned' }, ['A ferry', 'The lamp', 'Zebra']],
    ['a tag in other letters', { tag: 'SEA' }, ['A ferry', 'The lamp']],
    ['half a tag', { tag: 'se' }, []],
    ['words of a snippet', { find: 'burns OIL' }, ['The lamp']],
    ['words of a tag', { find: 'ghost' }, ['The lamp']],
    ['words that are nowhere', { find: 'whale' }, []],
  ]
  for (const [what, query, titles] of cases)
    test(what, () =>
      expect(filterStories(stories, libraryFilterFrom(query)).map(({ title }) => title)).toEqual(titles),
    )
})

test('tags are listed once, the most common first, as first written', () =>
  expect(tagsIn([...stories, story(5, '', { tags: 'SEA,a' })])).toEqual(['Sea', 'a', 'city', 'ghosts']))

test('an address of nothing is the whole library', () => expect(libraryFilterFrom({})).toEqual(NO_FILTER))

describe('how long ago', () => {
  const now = new Date('2026-03-10T12:00:00Z')
  const cases: [time: string, words: string][] = [
    ['2026-03-10T12:00:30Z', 'just now'],
    ['2026-03-10T11:59:01Z', 'just now'],
    ['2026-03-10T11:59:00Z', '1 minute ago'],
    ['2026-03-10T11:00:01Z', '59 minutes ago'],
    ['2026-03-10T11:00:00Z', '1 hour ago'],
    ['2026-03-09T12:00:01Z', '23 hours ago'],
    ['2026-03-09T12:00:00Z', '1 day ago'],
    ['2026-02-08T12:00:00Z', '30 days ago'],
    ['2026-02-07T12:00:00Z', '7 February 2026'],
    ['nonsense', 'just now'],
  ]
  for (const [time, words] of cases) test(time, () => expect(agoInWords(time, now)).toBe(words))
})

test('the branches of a story are one entry, under the first of them in the order of the list', () => {
  const stories = [
    story(1, 'A', { family: 7 }),
    story(2, 'B'),
    story(3, 'A: north', { family: 7 }),
    story(4, 'C'),
    story(5, 'D', { family: 2 }),
  ]
  expect(withBranches(stories).map(({ story, others }) => [story.id, others.map(({ id }) => id)])).toEqual([
    [1, [3]],
    [2, []],
    [4, []],
    [5, []],
  ])
})

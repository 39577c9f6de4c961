import { expect, test } from 'bun:test'
import { passagesOf, WHOLE_STORY } from '../../src/formats/book/passages.ts'
import { lampStory } from '../support/files/portable.ts'
import { ROLL } from '../support/stories/rolls.ts'

const ENGLISH = { language: 'en', marks: 'en' }

test('a book with stat changes tells what the dice decided, and milestones by their names', () => {
  const story = lampStory({
    stat_schema: { milestones: { bell: { desc: 'Find the bell' } } },
    actions: [
      {
        ...lampStory().actions.find(({ type }) => type === 'ai'),
        world_delta: {
          verdicts: [
            { verdict: 'applied', path: 'milestones.bell', asked: true, given: true, old: false, new: true },
          ],
        },
        variants: [{ text: 'Rain.', reasoning: null, created_at: null, roll: ROLL }],
        variant_index: 0,
      },
    ] as ReturnType<typeof lampStory>['actions'],
  })
  const changes = (stats: boolean) =>
    [...passagesOf(story, { ...WHOLE_STORY, stats }, ENGLISH)].map(({ versions }) => versions[0]?.changes)
  expect(changes(true)).toEqual([['Climb (hard): 12 against 10, you are up', '✓ Find the bell']])
  expect(changes(false)).toEqual([[]])
})

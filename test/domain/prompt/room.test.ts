import { expect, test } from 'bun:test'
import { FRESH_SETTINGS } from '../../../src/db/tables/settings.ts'
import { StoryError } from '../../../src/domain/errors.ts'
import { checkRoom } from '../../../src/domain/prompt/budget.ts'
import type { Settings } from '../../../src/domain/settings.ts'

const refusal = (changed: Partial<Settings>, stored: Partial<Settings> = {}) => {
  try {
    checkRoom({ ...FRESH_SETTINGS, narrator_prompt: '', ...stored, ...changed }, changed)
    return null
  } catch (error) {
    return error instanceof StoryError ? error : null
  }
}

const rows: [changed: Partial<Settings>, sum: string | null][] = [
  [{ context_token_budget: 16_384 }, null],
  [{ context_token_budget: 256, max_output_tokens: 1 }, null],
  [
    { context_token_budget: 256 },
    'The context size is 256 tokens. The reply may take 800. That leaves 0 for the story, which needs at least',
  ],
  [
    { max_output_tokens: 16_300 },
    'The context size is 16384 tokens. The reply may take 16300, and 65 are kept in reserve. That leaves 19 for the story',
  ],
  [
    { reasoning_max_tokens: 100_000 },
    'The reply may take 800 and reasoning 100000. That leaves 0 for the story',
  ],
  [
    { narrator_prompt: 'word '.repeat(12_000), reasoning_max_tokens: -1 },
    'That leaves 15054 for the story, which needs at least 16812.',
  ],
]
for (const [changed, sum] of rows)
  test(`${JSON.stringify(changed).slice(0, 60)} ${sum === null ? 'is' : 'is not'} accepted`, () => {
    const refused = refusal(changed)
    expect(refused?.message ?? null).toEqual(sum === null ? null : expect.stringContaining(sum))
    if (sum !== null) expect(refused?.code).toBe('invalid')
  })

test('what has no part in the sum is accepted also where an old file leaves no room', () =>
  expect(refusal({ temperature: 1 }, { context_token_budget: 256 })).toBeNull())

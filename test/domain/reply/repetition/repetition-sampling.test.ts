import { expect, test } from 'bun:test'
import { raisedRepetition } from '../../../../src/domain/reply/repetition/repetition-sampling.ts'

const SAMPLING = { top_p: 0.9, min_p: null, repeat_penalty: null, dry_multiplier: null, xtc_probability: 0.1 }

// With both, Qwen2.5 1.5B wrote "birdcAGE" and "the.clock".
test('one setting against repetition is raised, DRY where the server has it', () => {
  expect(raisedRepetition(SAMPLING, true)).toEqual({ ...SAMPLING, dry_multiplier: 0.8 })
  expect(raisedRepetition(SAMPLING, false)).toEqual({ ...SAMPLING, repeat_penalty: 1.15 })
})

test('a setting that is lower is raised', () => {
  const low = { ...SAMPLING, repeat_penalty: 1, dry_multiplier: 0 }
  expect(raisedRepetition(low, true)).toEqual({ ...low, dry_multiplier: 0.8 })
  expect(raisedRepetition(low, false)).toEqual({ ...low, repeat_penalty: 1.15 })
})

test('a setting that is higher stays', () => {
  const high = { ...SAMPLING, repeat_penalty: 1.3, dry_multiplier: 2 }
  expect(raisedRepetition(high, true)).toEqual(high)
  expect(raisedRepetition(high, false)).toEqual(high)
})

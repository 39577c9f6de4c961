import { expect, test } from 'bun:test'
import { raisedRepetition } from '../../../../src/domain/reply/loops/repetition-sampling.ts'

const SAMPLING = { top_p: 0.9, min_p: null, repeat_penalty: null, dry_multiplier: null, xtc_probability: 0.1 }

test('the settings against repetition are raised, and nothing else', () => {
  expect(raisedRepetition(SAMPLING)).toEqual({ ...SAMPLING, repeat_penalty: 1.15, dry_multiplier: 0.8 })
})

test('a setting that is lower is raised', () => {
  const low = { ...SAMPLING, repeat_penalty: 1, dry_multiplier: 0 }
  expect(raisedRepetition(low)).toEqual({ ...SAMPLING, repeat_penalty: 1.15, dry_multiplier: 0.8 })
})

test('a setting that is higher stays', () => {
  const high = { ...SAMPLING, repeat_penalty: 1.3, dry_multiplier: 2 }
  expect(raisedRepetition(high)).toEqual(high)
})

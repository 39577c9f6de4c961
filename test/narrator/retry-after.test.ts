import { expect, test } from 'bun:test'
import { retryAfter } from '../../src/narrator/retry-after.ts'

const NOW = new Date('2026-05-01T12:00:00Z')

test.each<[string | undefined, number]>([
  [undefined, 0],
  ['30', 30],
  [' 0 ', 0],
  ['Fri, 01 May 2026 12:00:30 GMT', 30],
  ['Fri, 01 May 2026 11:59:30 GMT', 0],
  ['-5', 0],
  ['soon', 0],
  ['', 0],
])('Retry-After %p is %d seconds', (header, seconds) => expect(retryAfter(header, NOW)).toBe(seconds))

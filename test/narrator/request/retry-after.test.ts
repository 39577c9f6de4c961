import { expect, test } from 'bun:test'
import { retryAfter } from '../../../src/narrator/request/turn-errors.ts'

const date = 'Fri, 01 May 2026 12:00:00 GMT'

test.each<[headers: Parameters<typeof retryAfter>[0], seconds: number]>([
  [{}, 0],
  [{ 'retry-after': '30' }, 30],
  [{ 'retry-after': ' 0 ' }, 0],
  [{ 'retry-after': 'Fri, 01 May 2026 12:00:30 GMT', date }, 30],
  [{ 'retry-after': 'Fri, 01 May 2026 11:59:30 GMT', date }, 0],
  [{ 'retry-after': 'Fri, 01 May 2026 12:00:30 GMT' }, 0],
  [{ 'retry-after': '-5', date }, 0],
  [{ 'retry-after': 'soon', date }, 0],
  [{ 'retry-after': '', date }, 0],
])('%j asks for %d seconds', (headers, seconds) => expect(retryAfter(headers)).toBe(seconds))

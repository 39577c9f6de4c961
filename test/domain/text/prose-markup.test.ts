import { expect, test } from 'bun:test'
import { withoutMarkup } from '../../../src/domain/text/prose-markup.ts'

test.each([
  ['A *soft* and a **loud** word, ***both***.', 'A soft and a loud word, both.'],
  ['A _soft_ word in a snake_case_name.', 'A soft word in a snake_case_name.'],
  ['2 * 3 * 4, and *not closed', '2 * 3 * 4, and *not closed'],
  ['', ''],
])('%p has no marks in a list', (text, shown) => expect(withoutMarkup(text)).toBe(shown))

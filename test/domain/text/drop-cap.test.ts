import { describe, expect, test } from 'bun:test'
import { takesDropCap } from '../../../src/domain/text/prose-markup.ts'

const REST = ' and the road goes on and on'.repeat(8)

describe('an opening begins with a drop cap', () => {
  const cases: [what: string, text: string, takesOne: boolean][] = [
    ['a long paragraph', `Fog comes${REST}`, true],
    ['one in quotation marks', `“Fog,” she says${REST}`, true],
    ['one in italics', `*Fog* comes${REST}`, true],
    ['a Greek one', `Ομίχλη${REST}`, true],
    ['a Cyrillic one', `Туман${REST}`, true],
    ['a short paragraph before a long one', `Fog.\n\nIt comes${REST}`, false],
    ['letters that join', `الضباب${REST}`, false],
    ['letters under a line', `कोहरा${REST}`, false],
    ['a script without capitals', `霧${REST}`, false],
    ['a small letter', `fog${REST}`, false],
    ['a dash', `— Fog${REST}`, false],
    ['a list', `- Fog${REST}`, false],
    ['nothing', '', false],
  ]
  for (const [what, text, takesOne] of cases)
    test(`${what}: ${takesOne ? 'yes' : 'no'}`, () => expect(takesDropCap(text)).toBe(takesOne))
})

import { describe, expect, test } from 'bun:test'
import type { Message } from '../../../src/domain/model/model-request.ts'
import { promptReading } from '../../../src/domain/prompt/prompt-reading.ts'

const system = (text: string): Message => ({ role: 'system', text })
const user = (text: string): Message => ({ role: 'user', text })
const told = (text: string): Message => ({ role: 'assistant', text })
const FRONT = system('Narrate.')
const OLD = [FRONT, user('begin'), told('Opening.'), user('a'), told('A.')]
const NEXT = [...OLD, user('b')]

type Sent = Parameters<typeof promptReading>[0]
const reads = (anew: number, total = 1_000): Sent['usage'] => ({
  prompt_tokens: total,
  cached_tokens: total - anew,
  completion_tokens: 50,
})
const base: Sent = {
  messages: NEXT,
  usage: reads(40),
  own: 30,
  expected: 35,
  isFirstTurn: false,
  before: { messages: OLD, isSameStory: true, isSameModel: true },
  hasReused: true,
}
const before = (messages: Message[], more: object = {}) => ({
  before: { messages, isSameStory: true, isSameModel: true, ...more },
})

describe('why a prompt was processed again', () => {
  const cases: [says: string, sent: Partial<Sent>, anew: number, why: string | null][] = [
    ['only the line', {}, 40, null],
    ['the first turn', { isFirstTurn: true, usage: reads(900), expected: 950 }, 900, 'new story'],
    [
      'the oldest passages are gone',
      { messages: [FRONT, user('a'), told('A.'), user('b')], usage: reads(500), expected: 520 },
      500,
      'cut',
    ],
    [
      'a cut that also renewed the summary',
      {
        messages: [system('Narrate. So far.'), user('a'), told('A.'), user('b')],
        usage: reads(500),
        expected: 520,
      },
      500,
      'cut',
    ],
    [
      'a passage',
      { ...before([FRONT, user('begin'), told('Other.')]), usage: reads(400), expected: 380 },
      400,
      'edited passage',
    ],
    [
      'the plot',
      { ...before([system('Other.'), ...OLD.slice(1)]), usage: reads(990), expected: 990 },
      990,
      'changed plot',
    ],
    [
      'the model',
      { ...before(OLD, { isSameModel: false }), usage: reads(990), expected: 990 },
      990,
      'other model',
    ],
    [
      'another story',
      { ...before(OLD, { isSameStory: false }), usage: reads(900), expected: 900 },
      900,
      'another story',
    ],
    ['another slot had kept it', before(OLD, { isSameStory: false }), 40, null],
    ['the server had lost it', { usage: reads(1_000) }, 1_000, 'server restarted'],
    ['a reply that its template trims', { usage: reads(130) }, 130, 'edited passage'],
    ['the server never had it', { usage: reads(1_000), hasReused: false }, 1_000, 'server keeps nothing'],
    [
      'this service was restarted',
      { before: null, usage: reads(1_000), expected: 1_000 },
      1_000,
      'server restarted',
    ],
    ['a server that does not tell', { usage: null }, 35, null],
    [
      'one that does not tell, after an edit',
      { ...before([FRONT]), usage: null, expected: 700 },
      700,
      'edited passage',
    ],
  ]
  for (const [says, sent, anew, why] of cases)
    test(says, () => expect(promptReading({ ...base, ...sent } as Sent)).toEqual({ anew, why } as never))
})

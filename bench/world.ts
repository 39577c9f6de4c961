import { recordDelta } from '../src/domain/world/delta-report.ts'
import { PathResolver } from '../src/domain/world/path-resolver.ts'
import { parseAnswer } from '../src/domain/world/recorder/answer.ts'
import { readRules } from '../src/domain/world/rules.ts'
import { instantiate } from '../src/domain/world/state.ts'
import { LANTERN_ROCK } from '../test/support/stories/worlds.ts'
import { ms } from './median.ts'

const PASSAGE = 'The road goes on and on. '.repeat(160).trim()
const CHANGES = [
  { path: 'player.warmth', by: -5 },
  { path: 'world.sea', by: 2 },
  { path: 'flags.door_barred', to: true },
]

/** What an answer of the recorder takes, and hostile ones. */
export function worldTable(): Record<string, string> {
  return {
    'recorder and referee on a passage of 4 KB': ms(refereeTime()),
    'an answer of 5 MB': ms(readTime(`{"edits": [{"to": "${'x'.repeat(5_000_000)}"`)),
    '10,000 nested objects': ms(readTime('{"a":'.repeat(10_000))),
  }
}

/** Milliseconds to read an answer about a passage of 4 KB and to judge its changes. */
function refereeTime(): number {
  const answer = JSON.stringify({ edits: [{ because: 'The road goes on', changes: CHANGES }] })
  const state = instantiate(LANTERN_ROCK)
  const times = Array.from({ length: 200 }, () => {
    const began = performance.now()
    const parsed = parseAnswer(answer, false, PASSAGE, new PathResolver(readRules(LANTERN_ROCK)))
    recordDelta(LANTERN_ROCK, { before: state, index: 4, roll: null }, { answer: parsed, call: null })
    return performance.now() - began
  })
  return times.sort((a, b) => a - b)[100] ?? 0
}

/** Milliseconds to read a hostile answer. */
function readTime(answer: string): number {
  const began = performance.now()
  parseAnswer(answer, false, PASSAGE, new PathResolver(readRules(LANTERN_ROCK)))
  return performance.now() - began
}

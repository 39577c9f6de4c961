import { expect, test } from 'bun:test'
import type { Message } from '../../src/domain/model/model-request.ts'
import { guideOf, reportingRule } from '../../src/domain/world/prompt/guide.ts'
import { liveValueLines, liveValuesSection } from '../../src/domain/world/prompt/live-values.ts'
import { referee } from '../../src/domain/world/referee.ts'
import { readRules } from '../../src/domain/world/rules.ts'
import { instantiate, type StatSchema } from '../../src/domain/world/state.ts'
import { practiceReply } from '../../src/practice/reply.ts'
import { drawFrom } from '../../src/practice/seeded-random.ts'
import { practiceBlock } from '../../src/practice/state-block.ts'
import { LANTERN_ROCK } from '../support/stories/worlds.ts'

const schema: StatSchema = {
  ...LANTERN_ROCK,
  player: { ...LANTERN_ROCK.player, stance: { type: 'text', initial: 'calm', options: ['calm', 'wary'] } },
}
const rules = readRules(schema)
const state = instantiate(schema)
const messages = (present: string[]): Message[] => [
  { role: 'system', text: `Narrate.\n\n${guideOf(rules)}\n\n${reportingRule(rules)}` },
  {
    role: 'user',
    text: `${liveValuesSection(liveValueLines(rules, state, new Set(present)))}\n\n> You wait.`,
  },
]
const delta = (block: string) => JSON.parse(/```state_delta\n(.*)\n```$/.exec(block)?.[1] ?? 'null')

test('five hundred practice turns move what is there, one in ten over its cap, and nothing unknown', () => {
  const draw = drawFrom(7)
  const seen = { limited: 0, moved: 0, refused: 0, empty: 0 }
  const paths = new Set<string>()
  for (let i = 0; i < 500; i++) {
    const changes = delta(practiceBlock(messages([]), draw))
    if (Object.keys(changes).length === 0) seen.empty++
    for (const one of referee(schema, state, changes, 90).verdicts) {
      paths.add(one.path)
      if (one.verdict === 'refused') seen.refused++
      else if (one.verdict === 'limited') seen.limited++
      else seen.moved++
    }
  }
  expect(seen.refused).toBe(0)
  expect(seen.empty).toBeWithin(30, 200)
  expect(seen.limited).toBeWithin(8, 110)
  expect([...paths].sort()).toEqual([
    'flags.door_barred',
    'flags.lamp_lit',
    'player.lamp_oil',
    'player.stance',
    'player.warmth',
    'world.night',
    'world.sea',
  ])
})

test('what the dice have changed is left alone', () => {
  const told = messages([])
  const last = told.at(-1)?.text ?? ''
  const counted = '[Dice. Climb (easy): 12 against 8. Counted already: player.warmth -2 (now 5).]'
  const withDice: Message[] = [...told.slice(0, -1), { role: 'user', text: `${last}\n\n${counted}` }]
  const changed = (some: Message[]) =>
    Array.from({ length: 200 }, (_, i) => 'player.warmth' in delta(practiceBlock(some, drawFrom(i))))
  expect([changed(told), changed(withDice)].map((all) => all.includes(true))).toEqual([true, false])
})

test('people change only when they are there', () => {
  const changed = Array.from({ length: 200 }, (_, i) =>
    delta(practiceBlock(messages(['ottoline']), drawFrom(i))),
  )
  expect(changed.some((changes) => 'npc.ottoline.faith' in changes)).toBe(true)
})

test('a block follows the prose, and there is none without a list of stats', () => {
  expect(practiceReply(messages([]), 3)).toMatch(/[.?]"?\n\n```state_delta\n\{.*\}\n```$/)
  expect(
    practiceReply(
      [
        { role: 'system', text: 'Narrate.' },
        { role: 'user', text: '> You wait.' },
      ],
      3,
    ),
  ).not.toContain('```')
})

test('blocks of earlier turns are not taken for prose', () => {
  const told: Message[] = [
    ...messages([]),
    { role: 'assistant', text: 'A brass key lies there.\n\n```state_delta\n{"player.warmth":-1}\n```' },
    { role: 'user', text: '> You wait.' },
  ]
  for (let seed = 0; seed < 30; seed++)
    expect(practiceReply(told, seed).split('```')[0]).not.toMatch(/player.warmth|state_delta/)
})

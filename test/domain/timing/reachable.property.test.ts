import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { applyRoll } from '../../../src/domain/checks/apply-roll.ts'
import { fewestTurns, reachOf } from '../../../src/domain/timing/reachable.ts'
import { referee } from '../../../src/domain/world/referee.ts'
import { readRules } from '../../../src/domain/world/rules.ts'
import { instantiate, liveNumber } from '../../../src/domain/world/state.ts'
import { depth } from '../../support/depth.ts'

const amount = fc.integer({ min: -9, max: 9 })
const cap = fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined })
const stat = fc.record({
  type: fc.constantFrom(undefined, 'counter'),
  initial: fc.integer({ min: -3, max: 12 }),
  min: fc.constantFrom(undefined, 0),
  max: fc.constantFrom(undefined, 10),
  max_gain_per_turn: cap,
  max_loss_per_turn: cap,
  cooldown: fc.integer({ min: 0, max: 4 }),
  hidden: fc.boolean(),
})
const turn = fc.record({ asked: amount, isRolled: fc.boolean(), isContinued: fc.boolean() })

test('play brings no number anywhere in fewer turns than the linter counts', () => {
  fc.assert(
    fc.property(stat, amount, fc.array(turn, { maxLength: 12 }), (health, effect, turns) => {
      const outcomes = [{ name: 'done', effects: { 'player.health': effect } }]
      const climb = { dice: '1d20', difficulties: [{ name: 'normal', number: 1 }], outcomes }
      const schema = { player: { health }, checks: { Climb: climb } }
      const [found] = readRules(schema).stats
      if (found?.kind === 'text' || found === undefined) throw new Error('There is one number.')
      const reach = reachOf(schema)
      let state = instantiate(schema)
      let index = 0
      for (const [told, { asked, isRolled, isContinued }] of turns.entries()) {
        index += isContinued ? 1 : 2
        const roll = isRolled ? { effects: { 'player.health': effect }, price: {}, rerolls: 0 } : null
        state = applyRoll(schema, state, roll, index).after
        state = referee(schema, state, { 'player.health': asked }, index).after
        expect(fewestTurns(found, liveNumber(state, found), reach)).toBeLessThanOrEqual(told + 1)
      }
    }),
    { numRuns: depth('STORIES') },
  )
})

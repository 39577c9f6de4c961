import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { applyPlan, planRefresh, type Refreshable } from '../../../src/domain/refresh/plan.ts'
import type { CardFields } from '../../../src/domain/story-card.ts'
import { valuesByPath } from '../../../src/domain/world/state-diff.ts'
import { objectIn } from '../../../src/lib/objects.ts'
import { runs } from '../../support/depth.ts'
import { begun, grown, written } from '../../support/stories/random-stories.ts'

const NOTHING = new Set<string>()
const RUNS = { numRuns: runs(500) }
const refs = (story: Refreshable) => planRefresh(story).items.map(({ ref }) => ref)

/** What is defined, by path, but for the characters' own words. */
function definitions(schema: Refreshable['schema']): Map<string, unknown> {
  const stats = (prefix: string, holder: Record<string, unknown>) =>
    Object.entries(holder).map(([name, definition]): [string, unknown] => [`${prefix}.${name}`, definition])
  return new Map([
    ...['world', 'player', 'flags', 'milestones'].flatMap((one) => stats(one, objectIn(schema, one))),
    ...Object.entries(objectIn(schema, 'npcs')).flatMap(([id, npc]) =>
      stats(`npc.${id}`, objectIn(npc, 'stats')),
    ),
  ])
}

const isUnder = (path: string, ref: string) =>
  ref === 'world:(all world state)' || `world:${path}` === ref || `world:${path}`.startsWith(`${ref}.`)

describe('a refresh', () => {
  test('has nothing to do where the scenario is as it was', () => {
    fc.assert(
      fc.property(begun, (story) => {
        const { has_changes, fields, cards, world_state, items } = planRefresh(story)
        expect({ has_changes, fields, cards, world_state, items }).toEqual({
          has_changes: false,
          fields: {},
          cards: { added: [], updated: [], removed: [] },
          world_state: { added: [], removed: [], changed: [] },
          items: [],
        })
        expect(written(story, applyPlan(story, NOTHING))).toEqual(story)
      }),
      RUNS,
    )
  })

  test('does what it plans, and then there is nothing left to do', () => {
    fc.assert(
      fc.property(grown, (story) => {
        const plan = planRefresh(story)
        const after = written(story, applyPlan(story, NOTHING))
        expect(refs(after)).toEqual([])
        for (const [name, { new: text }] of Object.entries(plan.fields))
          expect(after.adventure[name as keyof typeof after.adventure]).toBe(text)
        for (const item of plan.items.filter(({ kind }) => kind === 'card')) {
          const card = after.story_cards.find(({ source_ref }) => source_ref === item.ref)
          if (item.new) expect(card).toMatchObject(item.new as CardFields)
          else expect(card).toBeUndefined()
        }
      }),
      RUNS,
    )
  })

  test('done twice does the same as once', () => {
    fc.assert(
      fc.property(grown, (story) => {
        const once = written(story, applyPlan(story, NOTHING))
        expect(written(once, applyPlan(once, NOTHING))).toEqual(once)
      }),
      RUNS,
    )
  })

  test('leaves alone what is left out, and what it does not name', () => {
    fc.assert(
      fc.property(grown, fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }), (story, choice) => {
        const before = structuredClone(story)
        const { items } = planRefresh(story)
        const skip = new Set(items.filter((_, i) => choice[i % 40]).map(({ ref }) => ref))
        const after = written(story, applyPlan(story, skip))
        expect(story).toEqual(before)
        // What was left out is all that is left to do.
        expect(new Set(refs(after))).toEqual(skip)
        const taken = items.filter(({ ref }) => !skip.has(ref))
        for (const card of story.story_cards) {
          const isTouched = taken.some(
            (item) => item.kind === 'card' && item.new !== card && touches(item, card),
          )
          const { source_ref: _, ...fields } = card
          if (!isTouched) expect(after.story_cards.find(({ id }) => id === card.id)).toMatchObject(fields)
        }
        const isTaken = (path: string) => taken.some(({ ref }) => isUnder(path, ref))
        const [values, then] = [valuesByPath(story.state), valuesByPath(after.state)]
        for (const path of new Set([...values.keys(), ...then.keys()]))
          if (!isTaken(path)) expect([path, then.get(path)]).toEqual([path, values.get(path)])
        const [was, is] = [definitions(story.schema), definitions(after.schema)]
        for (const path of new Set([...was.keys(), ...is.keys()]))
          if (!isTaken(path)) expect([path, is.get(path)]).toEqual([path, was.get(path)])
      }),
      RUNS,
    )
  })

  function touches(
    item: { old: unknown; name: string; ref: string },
    card: Refreshable['story_cards'][number],
  ) {
    if (item.old === null) return false
    return card.source_ref === null ? card.name === item.name : card.source_ref === item.ref
  }
})

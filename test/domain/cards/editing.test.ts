import { describe, expect, test } from 'bun:test'
import { duplicatesIn } from '../../../src/domain/cards/duplicates.ts'
import { EMPTY_CARD } from '../../../src/domain/story-card.ts'
import { cardFilterFrom, filterCards, kindsOf } from '../../../src/views/cards/card-filter.ts'

const card = (id: number, name: string, keys = '', more = {}) => ({ ...EMPTY_CARD, id, name, keys, ...more })

describe('twins among cards', () => {
  const cases: [what: string, cards: ReturnType<typeof card>[], told: number[]][] = [
    ['the same name in other letters', [card(1, 'The Lamp'), card(2, ' the lamp '), card(3, 'Else')], [1, 2]],
    ['the same trigger', [card(1, 'A', 'lamp, light'), card(2, 'B', 'Light'), card(3, 'C', 'dark')], [1, 2]],
    ['a trigger as a word and as a whole word', [card(1, 'A', '=lamp'), card(2, 'B', 'lamp')], [1, 2]],
    ['one that is kept away by it', [card(1, 'A', '-lamp'), card(2, 'B', 'lamp')], []],
    ['the same trigger twice on one card', [card(1, 'A', 'lamp, lamp')], []],
    ['no names and no triggers', [card(1, ''), card(2, '')], []],
  ]
  for (const [what, cards, told] of cases)
    test(what, () => expect([...duplicatesIn(cards).keys()].sort()).toEqual(told))

  test('are named', () =>
    expect(duplicatesIn([card(1, 'A', 'lamp'), card(2, 'B', 'lamp')]).get(1)).toEqual([
      '“lamp” also triggers “B”.',
    ]))
})

describe('a view of cards', () => {
  const cards = [
    card(1, 'Lamp', 'light', { type: 'thing' }),
    card(2, 'Ferry', '', { type: 'place', notes: 'Dusk' }),
    card(3, 'Bell', 'light', { type: 'place' }),
  ]
  const cases: [query: Record<string, string>, ids: number[]][] = [
    [{}, [1, 2, 3]],
    [{ find: 'LIGHT' }, [1, 3]],
    [{ find: 'dusk ferry' }, [2]],
    [{ find: 'light', kind: 'place' }, [3]],
    [{ order: 'name' }, [3, 2, 1]],
    [{ order: 'kind' }, [2, 3, 1]],
    [{ order: 'nonsense' }, [1, 2, 3]],
  ]
  for (const [query, ids] of cases)
    test(JSON.stringify(query), () =>
      expect(filterCards(cards, cardFilterFrom(query)).map(({ id }) => id)).toEqual(ids),
    )
  test('knows the kinds in use', () => expect(kindsOf(cards)).toEqual(['place', 'thing']))
})

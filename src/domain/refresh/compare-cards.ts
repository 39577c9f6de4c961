import { foldName } from '../../lib/fold-text.ts'
import type { Scenario } from '../scenario.ts'
import { derivedCards, hasLore } from '../start-from-scenario.ts'
import { type CardFields, type CardWithSource, plainCard, type StoryCard } from '../story-card.ts'
import type { Answers } from '../text/placeholder.ts'

/** Change of one card: without `old` it is added, without `new` removed. */
export interface CardChange {
  /** Origin of the card: `card:<id>` or `npc:<key>`. */
  ref: string
  name: string
  old: CardFields | null
  new: CardFields | null
  ids: number[]
}

export interface CardChanges {
  changes: CardChange[]
  adopted: { id: number; source_ref: string }[]
}

export interface ComparedCards {
  scenario: Pick<Scenario, 'stat_schema'>
  scenario_cards: readonly StoryCard[]
  story_cards: readonly CardWithSource[]
  answers: Answers
  /** True once the cards were matched by name. */
  cards_adopted: boolean
}

/**
 * Compares the cards of a scenario with those of its story. Cards are matched by reference. In a story without references
 * that was never matched, they are matched by name, each at most once. After that, cards that the player made are ignored.
 */
export function compareCards({
  scenario,
  scenario_cards: authored,
  story_cards: own,
  answers,
  cards_adopted,
}: ComparedCards): CardChanges {
  const byRef = cards_adopted || own.some(({ source_ref }) => source_ref !== null)
  const keyOf = (name: string, ref: string | null) => (byRef ? ref : foldName(name))
  const unmatched = Map.groupBy(own, ({ name, source_ref }) => keyOf(name, source_ref))
  // A story without references has the names with unfilled placeholders.
  const written = derivedCards(scenario, authored, {})
  const wanted = derivedCards(scenario, authored, answers).map((card, i) => ({
    card,
    found: unmatched.get(keyOf(written[i]?.name ?? '', card.source_ref))?.shift(),
  }))
  const refs = new Set(wanted.map(({ card }) => card.source_ref))
  return {
    changes: [
      ...wanted.flatMap(({ card, found }): CardChange[] => {
        const { source_ref: ref, ...fields } = card
        if (found === undefined)
          return hasLore(card) ? [{ ref, name: card.name, old: null, new: fields, ids: [] }] : []
        const isSame = JSON.stringify(plainCard(found)) === JSON.stringify(plainCard(fields))
        return isSame ? [] : [{ ref, name: found.name, old: plainCard(found), new: fields, ids: [found.id] }]
      }),
      ...removedCards([...unmatched.values()].flat(), refs),
    ],
    adopted: wanted.flatMap(({ card: { source_ref }, found }) =>
      found && found.source_ref === null ? [{ id: found.id, source_ref }] : [],
    ),
  }
}

function removedCards(own: readonly CardWithSource[], wanted: ReadonlySet<string>): CardChange[] {
  const byRef = new Map<string, CardChange>()
  for (const card of own) {
    const { source_ref: ref, name, id } = card
    if (ref === null || wanted.has(ref)) continue
    const known = byRef.get(ref)
    if (known) known.ids.push(id)
    else byRef.set(ref, { ref, name, old: plainCard(card), new: null, ids: [id] })
  }
  return [...byRef.values()]
}

import { derivedCards, hasLore, keyOfName } from '../beginning.ts'
import type { Answers } from '../placeholder.ts'
import type { Scenario } from '../scenario.ts'
import type { CardFields, CardWithSource, StoryCard } from '../story-card.ts'

/** What a refresh does to one card: without `old` it is new, without `new` it goes. */
export interface CardChange {
  /** Where the card comes from: `card:<id>` or `npc:<key>`. */
  ref: string
  name: string
  old: CardFields | null
  new: CardFields | null
  /** The cards of the story that it is done to. */
  ids: number[]
}

/** How the cards of a story differ from those of its scenario. */
export interface CardChanges {
  changes: CardChange[]
  /** Cards that are older than references and were found by their name: they take the reference. */
  adopted: { id: number; source_ref: string }[]
}

const FIELDS = ['type', 'name', 'keys', 'entry', 'notes'] as const

/**
 * Compares the cards that a scenario gives with those that its story has. Cards are found by their reference. In a story
 * that has none and was never matched, they are found by name, each at most once (specification 2, "Story card"). What a
 * player made is never looked at after that.
 */
export function compareCards(
  scenario: Pick<Scenario, 'stat_schema'>,
  authored: readonly StoryCard[],
  own: readonly CardWithSource[],
  answers: Answers,
  hasAdopted: boolean,
): CardChanges {
  const byRef = hasAdopted || own.some(({ source_ref }) => source_ref !== null)
  const keyOf = (name: string, ref: string | null) => (byRef ? ref : keyOfName(name))
  const left = Map.groupBy(own, ({ name, source_ref }) => keyOf(name, source_ref))
  // A story that is older than references has the names as they were written.
  const written = derivedCards(scenario, authored, {})
  const wanted = derivedCards(scenario, authored, answers).map((card, i) => ({
    card,
    found: left.get(keyOf(written[i]?.name ?? '', card.source_ref))?.shift(),
  }))
  const refs = new Set(wanted.map(({ card }) => card.source_ref))
  return {
    changes: [
      ...wanted.flatMap(({ card, found }): CardChange[] => {
        const { source_ref: ref, ...fields } = card
        if (found === undefined)
          return hasLore(card) ? [{ ref, name: card.name, old: null, new: fields, ids: [] }] : []
        const isSame = FIELDS.every((name) => found[name] === fields[name])
        return isSame ? [] : [{ ref, name: found.name, old: fieldsOf(found), new: fields, ids: [found.id] }]
      }),
      ...gone([...left.values()].flat(), refs),
    ],
    adopted: wanted.flatMap(({ card: { source_ref }, found }) =>
      found && found.source_ref === null ? [{ id: found.id, source_ref }] : [],
    ),
  }
}

/** The cards that nothing gives any more, those of one reference together. */
function gone(own: readonly CardWithSource[], wanted: ReadonlySet<string>): CardChange[] {
  const byRef = new Map<string, CardChange>()
  for (const card of own) {
    const { source_ref: ref, name, id } = card
    if (ref === null || wanted.has(ref)) continue
    const known = byRef.get(ref)
    if (known) known.ids.push(id)
    else byRef.set(ref, { ref, name, old: fieldsOf(card), new: null, ids: [id] })
  }
  return [...byRef.values()]
}

function fieldsOf({ type, name, keys, entry, notes }: CardFields): CardFields {
  return { type, name, keys, entry, notes }
}

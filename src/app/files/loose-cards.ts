import type { Reader } from '../../db/database.ts'
import { listCards } from '../../db/tables/story-cards.ts'
import { type ComparedCard, compareCards } from '../../domain/cards/compare-cards.ts'
import { type ImportPreview, previewOfCards } from '../../domain/portable/import-preview.ts'
import type { PortableScenario } from '../../domain/portable/portable.ts'
import { EMPTY_SCENARIO } from '../../domain/scenario.ts'
import type { CardFields, NamedOwner } from '../../domain/story-card.ts'
import { titleFrom } from '../../formats/file-name.ts'
import { cardOwnerFrom } from '../scenario/story-cards.ts'
import { plansIn } from './file-plans.ts'
import type { ImportChoice } from './import-choice.ts'
import type { KeptPlan } from './kept-plans.ts'
import { KnownContent } from './known-content.ts'

/** The new scenario of cards that come without an owner, named like their lorebook or else like their file. */
export function scenarioOfCards(
  fileName: string,
  story_cards: CardFields[],
  { title, description } = NO_BOOK,
): PortableScenario {
  return { ...EMPTY_SCENARIO, title: title || titleFrom(fileName), description, story_cards }
}

const NO_BOOK = { title: '', description: '' }

/**
 * The cards of a plan that come without an owner, compared with those of the owner that is named for them; without one, with
 * the scenario that an earlier import made of them. Throws invalid, not_found.
 */
export async function compareLooseCards(
  reader: Reader,
  plan: KeptPlan,
  named: NamedOwner | undefined,
): Promise<{ preview: ImportPreview; cards: ComparedCard[] }> {
  if (plan.preview.story_cards.length === 0) return { preview: plan.preview, cards: [] }
  const owner = named && cardOwnerFrom(reader, named)
  const [file] = await Array.fromAsync(plansIn(plan))
  const loose = file?.story_cards ?? []
  const there = owner ?? new KnownContent(reader).twinOf(scenarioOfCards(plan.name, loose, file?.book))
  const cards = compareCards(loose, there ? listCards(reader, there) : [])
  return { preview: { ...plan.preview, story_cards: previewOfCards(cards) }, cards }
}

/** The changes that compared cards lead to. */
export interface WrittenCards {
  added: CardFields[]
  replaced: { id: number; card: CardFields }[]
}

export function cardsToWrite(
  cards: readonly ComparedCard[],
  duplicates: ImportChoice['duplicates'] = 'import',
): WrittenCards {
  const changes: WrittenCards = { added: [], replaced: [] }
  for (const { card, is_duplicate, namesake } of cards) {
    // Notes are not compared: those of a player stay.
    if (namesake && duplicates === 'replace')
      changes.replaced.push({ id: namesake.id, card: { ...card, notes: card.notes || namesake.notes } })
    else if (!is_duplicate || duplicates === 'import') changes.added.push(card)
  }
  return changes
}

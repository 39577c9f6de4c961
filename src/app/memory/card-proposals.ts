import type { Reader } from '../../db/database.ts'
import { findAnswers, getAdventure } from '../../db/tables/adventures.ts'
import { answerProposal, listWaiting, requireProposal } from '../../db/tables/card-proposals.ts'
import { getCard, insertCard, listCards, updateCard } from '../../db/tables/story-cards.ts'
import { type CardProposal, cardNamed, isQuoted, withAddition } from '../../domain/cards/proposals.ts'
import { StoryError } from '../../domain/errors.ts'
import { LIMITS } from '../../domain/limits.ts'
import { filledPassage } from '../../domain/prompt/filled-texts.ts'
import { type CardFields, EMPTY_CARD, type StoryCard } from '../../domain/story-card.ts'
import { isBlank, lengthOf } from '../../lib/text.ts'
import type { Deps } from '../deps.ts'
import { assertRoomForCards } from '../scenario/story-cards.ts'

/** The proposals of a story that wait, as far as their passages still say what they quote. Throws not_found. */
export function proposalsOf(reader: Reader, adventureId: number): CardProposal[] {
  getAdventure(reader, adventureId)
  const answers = findAnswers(reader, adventureId) ?? {}
  const cards = listCards(reader, { adventure_id: adventureId })
  return listWaiting(reader, adventureId)
    .filter((row) => isQuoted(row.quote, filledPassage(row, () => answers).text))
    .map(({ id, name, keys, entry, quote, passage, action_id }) => {
      return { id, name, keys, entry, quote, passage, action_id, card_id: cardNamed(name, cards)?.id ?? null }
    })
}

/** Makes the card, or adds to the one that has the name, in the words of the player. Throws not_found, invalid. */
export function acceptProposal(
  deps: Deps,
  adventureId: number,
  id: number,
  changed: Partial<Pick<CardFields, 'name' | 'keys' | 'entry'>> = {},
): StoryCard {
  const { reader } = deps.library
  const { name, keys, entry } = { ...getProposal(reader, adventureId, id), ...changed }
  if (isBlank(name) || isBlank(entry))
    throw new StoryError('invalid', 'A story card needs a name and an entry.')
  const owner = { adventure_id: adventureId }
  const card = cardNamed(name, listCards(reader, owner))
  const fields = card ? withAddition(card, { keys, entry }) : { name: name.trim(), keys, entry }
  if (lengthOf(fields.entry) > LIMITS.prose || lengthOf(fields.keys) > LIMITS.prose)
    throw new StoryError(
      'invalid',
      `A story card can have up to ${LIMITS.prose} characters. Shorten it first.`,
    )
  if (!card) assertRoomForCards(reader, owner, 1)
  const made = deps.library.write((tx) => {
    answerProposal(tx, id, 'accepted')
    if (!card) return insertCard(tx, owner, { ...EMPTY_CARD, ...fields }, null)
    updateCard(tx, card.id, fields)
    return card.id
  })
  const { source_ref: _, ...view } = getCard(reader, made)
  return view
}

/** It is not proposed again. Throws not_found. */
export function declineProposal(deps: Deps, adventureId: number, id: number): void {
  getAdventure(deps.library.reader, adventureId)
  requireProposal(deps.library.reader, adventureId, id)
  deps.library.write((tx) => answerProposal(tx, id, 'declined'))
}

function getProposal(reader: Reader, adventureId: number, id: number): CardProposal {
  const found = proposalsOf(reader, adventureId).find((one) => one.id === id)
  if (found) return found
  requireProposal(reader, adventureId, id)
  throw new StoryError('not_found', 'The passage no longer says what this proposed card quotes.')
}

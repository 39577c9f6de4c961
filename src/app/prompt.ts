import { findLastDelta, findNotes, getAttempts, type Place, storyBefore } from '../db/actions.ts'
import { getAdventure, getEpoch, getWorld } from '../db/tables/adventures.ts'
import type { Reader } from '../db/database.ts'
import { findFacts } from '../db/tables/endpoint-facts.ts'
import { listCards } from '../db/tables/story-cards.ts'
import { type CardMatcher, cardMatcher } from '../domain/cards/card-triggers.ts'
import { layOut } from '../domain/prompt/layout.ts'
import type { ModelFacts } from '../domain/prompt/measure.ts'
import type { CountedWorld, Prompt } from '../domain/prompt/prompt.ts'
import type { Query } from '../domain/recall/vectors.ts'
import type { Settings } from '../domain/settings.ts'
import type { StoryCard } from '../domain/story-card.ts'
import { isBlank } from '../lib/text.ts'
import { fitted } from '../domain/world/reconcile.ts'
import { refusalNote } from '../domain/world/prompt/refusal-note.ts'
import { verdictsOnReply } from '../domain/world/delta-report.ts'
import { readRules } from '../domain/world/rules.ts'
import { hasStats } from '../domain/world/state.ts'
import { recallFor } from './recall.ts'

/** The prompt for the story before a place, or for its next turn. Throws prompt_too_large. */
export function promptFor(
  reader: Reader,
  adventureId: number,
  settings: Settings,
  before: Place | null,
  query: Query | null = null,
  facts: ModelFacts = findFacts(reader, settings.endpoint_url, settings.model),
): Prompt {
  const adventure = getAdventure(reader, adventureId)
  const cards = listCards(reader, { adventure_id: adventureId })
  return layOut({
    settings,
    adventure,
    cards,
    matcher: matcherFor(adventureId, cards),
    story: storyBefore(reader, adventureId, before),
    epoch: getEpoch(reader, adventureId),
    recall: recallFor(reader, adventure, settings, before, query),
    facts,
    retold: before && findNotes(reader, adventureId, before.id),
    world: countedWorld(reader, adventureId, before),
  })
}

const KEPT_MATCHERS = 8
const matchers = new Map<number, { keys: string; matcher: CardMatcher }>()

/** The matcher of a story's cards. It is made anew only when a key has changed. */
function matcherFor(adventureId: number, cards: readonly StoryCard[]): CardMatcher {
  const keys = cards.map((card) => `${card.keys}\n${isBlank(card.entry)}`).join('\n')
  const known = matchers.get(adventureId)
  const kept = known?.keys === keys ? known : { keys, matcher: cardMatcher(cards) }
  matchers.delete(adventureId)
  matchers.set(adventureId, kept)
  const [oldest] = matchers.keys()
  if (matchers.size > KEPT_MATCHERS && oldest !== undefined) matchers.delete(oldest)
  return kept.matcher
}

function countedWorld(reader: Reader, adventureId: number, before: Place | null): CountedWorld | null {
  const { schema, state } = getWorld(reader, adventureId)
  if (!hasStats(schema)) return null
  const then = before === null ? null : getAttempts(reader, before.id).world_state_before
  return {
    rules: readRules(schema),
    // A passage that is told anew begins where a refresh has left what was there before it.
    state: fitted(schema, then ?? state),
    refusals: refusalNote(schema, verdictsOnReply(findLastDelta(reader, adventureId, before))),
  }
}

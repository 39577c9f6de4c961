import { listNextPassages, type SourcePassage } from '../../db/tables/actions/passages.ts'
import { findAdventure, findAnswers } from '../../db/tables/adventures.ts'
import {
  getProposalsCover,
  insertProposal,
  listProposals,
  updateProposalsCover,
} from '../../db/tables/card-proposals.ts'
import { findFacts } from '../../db/tables/endpoint-facts.ts'
import { getSettings } from '../../db/tables/settings.ts'
import { listCards } from '../../db/tables/story-cards.ts'
import {
  isNewProposal,
  isOnlyTold,
  MAX_WAITING,
  PROPOSAL_SCHEMA,
  parseProposals,
  proposalTask,
  quotedPassage,
} from '../../domain/cards/proposals.ts'
import { MEMORY_EVERY } from '../../domain/memory.ts'
import { filledPassage } from '../../domain/prompt/filled-texts.ts'
import type { Deps } from '../deps.ts'
import { askModel, canAsk, WITHOUT_THINKING } from '../model/ask-model.ts'
import { proposalsOf } from './card-proposals.ts'
import type { ReportProgress } from './embed-memories.ts'
import { questionAfterStory } from './question-after-story.ts'

/** Room for two cards with their quotes. */
const ANSWER_TOKENS = 400

interface Proposing {
  adventureId: number
  signal: AbortSignal
  report: ReportProgress
}

/**
 * Asks for story cards in the passages that were not looked through, while the player reads. What is proposed waits for the
 * player. Throws the errors of the endpoint.
 */
export async function proposeCards(deps: Deps, { adventureId, signal, report }: Proposing): Promise<void> {
  const { reader } = deps.library
  const settings = getSettings(reader)
  const adventure = findAdventure(reader, adventureId)
  if (!adventure?.propose_cards || !canAsk(settings)) return
  const passages = duePassages(deps, adventureId)
  const last = passages?.at(-1)
  if (!passages || !last || proposalsOf(reader, adventureId).length >= MAX_WAITING) return
  report(`Looking for story cards in passages ${passages[0]?.index} to ${last.index}`)
  const names = listCards(reader, { adventure_id: adventureId }).map(({ name }) => name)
  const asked = questionAfterStory(deps, adventureId, settings, {
    task: proposalTask(passages, names),
    max_output_tokens: ANSWER_TOKENS,
  })
  const { enforces } = findFacts(reader, settings.endpoint_url, asked.model)
  const schema = enforces === false ? {} : { schema: PROPOSAL_SCHEMA }
  const answer = await askModel(deps, { ...asked, ...WITHOUT_THINKING, ...schema }, signal)
  saveProposals(deps, adventureId, passages, answer)
}

/** The next passages that were not looked through; null until there are enough. The newest may still be retried. */
function duePassages({ library: { reader } }: Deps, adventureId: number): SourcePassage[] | null {
  const cover = getProposalsCover(reader, adventureId)
  const due = listNextPassages(reader, adventureId, cover, MEMORY_EVERY + 1)
  return due.length > MEMORY_EVERY ? filled(reader, adventureId, due.slice(0, MEMORY_EVERY)) : null
}

function filled(reader: Deps['library']['reader'], adventureId: number, passages: SourcePassage[]) {
  const answers = findAnswers(reader, adventureId) ?? {}
  return passages.map((passage) => ({ ...passage, ...filledPassage(passage, () => answers) }))
}

// The player may have changed passages, cards and proposals in the meantime: all are read again.
function saveProposals(deps: Deps, adventureId: number, passages: SourcePassage[], answer: string): void {
  const [first, last] = [passages[0]?.index ?? 0, passages.at(-1)?.index ?? 0]
  deps.library.write((tx) => {
    const now = filled(tx, adventureId, listNextPassages(tx, adventureId, first - 1, passages.length))
    if (now.at(-1)?.index !== last) return
    for (const proposal of parseProposals(answer)) {
      const passage = quotedPassage(proposal, now)
      const cards = listCards(tx, { adventure_id: adventureId })
      if (!passage || isOnlyTold(proposal.entry, now)) continue
      if (isNewProposal(proposal, listProposals(tx, adventureId), cards))
        insertProposal(tx, adventureId, { ...proposal, passage: passage.index, answer: null })
    }
    updateProposalsCover(tx, adventureId, last)
  })
}

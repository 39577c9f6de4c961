import type { StoredProposal } from '../../domain/cards/proposals.ts'
import { StoryError } from '../../domain/errors.ts'
import { MEMORY_EVERY } from '../../domain/memory.ts'
import type { Reader, Writer } from '../database.ts'

interface ProposalRow extends StoredProposal {
  id: number
  action_id: number
  type: string
  text: string
}

const COLUMNS = 'passage, name, keys, entry, quote, answer'

/** Answered or not, in the order of the story. */
export function listProposals(reader: Reader, adventureId: number): StoredProposal[] {
  return reader.all(
    `SELECT ${COLUMNS} FROM card_proposals WHERE adventure_id = ? ORDER BY passage, id`,
    adventureId,
  )
}

export function listWaiting(reader: Reader, adventureId: number): ProposalRow[] {
  return reader.all(
    `SELECT p.id, p.passage, p.name, p.keys, p.entry, p.quote, p.answer, a.id AS action_id, a.type, a.text
       FROM card_proposals p JOIN actions a ON a.adventure_id = p.adventure_id AND a."index" = p.passage
      WHERE p.adventure_id = ? AND p.answer IS NULL ORDER BY p.passage, p.id`,
    adventureId,
  )
}

/** Throws not_found if it was answered, or is of another story. */
export function requireProposal(reader: Reader, adventureId: number, id: number): void {
  const sql = 'SELECT 1 FROM card_proposals WHERE id = ? AND adventure_id = ? AND answer IS NULL'
  if (reader.get(sql, id, adventureId) !== null) return
  throw new StoryError(
    'not_found',
    `There is no proposed card ${id} in this story. It may have been answered.`,
  )
}

export function insertProposal(tx: Writer, adventureId: number, proposal: StoredProposal): void {
  tx.insert('card_proposals', { adventure_id: adventureId, ...proposal })
}

export function answerProposal(tx: Writer, id: number, answer: NonNullable<StoredProposal['answer']>): void {
  tx.update('card_proposals', id, { answer })
}

/** Index up to which passages were looked through. */
export function getProposalsCover(reader: Reader, adventureId: number): number {
  const sql = 'SELECT proposals_cover FROM adventures WHERE id = ?'
  return reader.value(sql, adventureId) ?? -1
}

/** A story is looked through from its newest passages on. */
export function beginProposals(tx: Writer, adventureId: number): void {
  tx.run(
    `UPDATE adventures SET proposals_cover = (SELECT max("index") FROM actions WHERE adventure_id = ?1) - ?2 WHERE id = ?1`,
    adventureId,
    MEMORY_EVERY,
  )
}

export function updateProposalsCover(tx: Writer, adventureId: number, index: number): void {
  tx.update('adventures', adventureId, { proposals_cover: index })
}

/** Deletes the proposals that wait and whose passages come after `lastIndex`, the new end of the story. */
export function pruneProposals(tx: Writer, adventureId: number, lastIndex: number): void {
  tx.run(
    'DELETE FROM card_proposals WHERE adventure_id = ? AND passage > ? AND answer IS NULL',
    adventureId,
    lastIndex,
  )
  tx.run(
    'UPDATE adventures SET proposals_cover = min(proposals_cover, ?) WHERE id = ?',
    lastIndex,
    adventureId,
  )
}

export function copyProposals(tx: Writer, id: number, copy: number, lastIndex: number): void {
  tx.copy('card_proposals', { adventure_id: copy }, 'adventure_id = ? ORDER BY id', id)
  pruneProposals(tx, copy, lastIndex)
}

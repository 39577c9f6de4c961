import { insertProposal } from '../../../src/db/tables/card-proposals.ts'
import type { TestServer } from './server.ts'

/** Leaves a proposed card that quotes a whole passage, as if the model had named it. Returns its id. */
export function proposeCard(
  { deps }: TestServer,
  adventureId: number,
  { index, text }: { index: number; text: string },
  texts: { name: string; keys: string; entry: string } = {
    name: 'Ansa',
    keys: 'ferry',
    entry: 'She has a ferry.',
  },
): number {
  const proposal = { passage: index, quote: text, answer: null, ...texts }
  deps.library.write((tx) => insertProposal(tx, adventureId, proposal))
  return deps.library.reader.get<{ id: number }>('SELECT max(id) AS id FROM card_proposals')?.id ?? 0
}

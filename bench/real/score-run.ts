import type { ModelServer } from './model-server.ts'
import type { Options } from './options.ts'
import { rowOf } from './score.ts'
import { askReplies } from './score-ask.ts'
import { askChanges, changesRow } from './score-changes.ts'
import { recordTurns } from './score-record.ts'

/**
 * Plays the scored story with stored replies, and asks the model what it would have written in each turn, several times, and
 * which changes it finds in labelled passages. Prints a row for each; returns everything behind them.
 */
export async function runScore({ address }: ModelServer, { project }: Options, folder: string) {
  const turns = await recordTurns(project, folder)
  console.error(`${turns.length} requests recorded`)
  const replies = await askReplies(address, turns)
  console.table([rowOf(replies)])
  const isInline = turns.every(({ passages }) => passages.every(({ recorder }) => recorder === null))
  const changes = await askChanges(address, turns, isInline)
  console.table([changesRow(changes)])
  return { replies, changes }
}

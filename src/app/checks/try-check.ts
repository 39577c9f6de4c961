import type { Reader } from '../../db/database.ts'
import { findRolledLine } from '../../db/tables/actions/rolls.ts'
import { type AdventureWorld, getWorld } from '../../db/tables/adventures.ts'
import { type Check, type Difficulty, readChecks } from '../../domain/checks/check.ts'
import { bonusOf, difficultyOf, type Roll, resolve } from '../../domain/checks/roll.ts'
import { StoryError } from '../../domain/errors.ts'
import { readRules } from '../../domain/world/rules.ts'
import type { WorldState } from '../../domain/world/state.ts'
import { hashOf } from '../../lib/hash.ts'
import { throwDice } from './throw-dice.ts'

/** A check that the player tries, and its difficulty. */
export interface Attempted {
  check: string
  difficulty?: string | undefined
}

export interface FoundCheck {
  check: Check
  difficulty: Difficulty
}

/** Throws not_found if the story has no checks, and invalid if it has no such check or difficulty. */
export function findCheck(
  reader: Reader,
  adventureId: number,
  { check: name, difficulty }: Attempted,
): FoundCheck {
  const checks = readChecks(getWorld(reader, adventureId).schema)
  if (checks.length === 0) throw new StoryError('not_found', 'This story has no checks.')
  const check = checks.find((one) => one.name === name)
  if (check === undefined) throw invalid('/check', 'Choose one of the checks of this story.')
  const found = difficultyOf(check, difficulty)
  if (found === null) throw invalid('/difficulty', `“${check.name}” has no such difficulty.`)
  return { check, difficulty: found }
}

/** Throws invalid while a roll waits for its reply: it cannot be had again by trying once more. */
export function assertNoRollWaits(reader: Reader, adventureId: number, line: string): void {
  const waiting = findRolledLine(reader, adventureId, null)
  if (waiting === null || waiting.text === line) return
  throw new StoryError(
    'invalid',
    'A roll still waits for its reply. Continue or retry to get it, or undo the line to try something else.',
  )
}

/** Throws the dice for a check, and resolves them. `state` gives the number that is added. */
export function rollFor(
  { schema }: AdventureWorld,
  { check, difficulty }: FoundCheck,
  state: WorldState,
): Roll {
  return resolve({
    check,
    difficulty,
    thrown: throwDice(check.dice),
    bonus: bonusOf(check, readRules(schema), state),
    schema: hashOf(JSON.stringify(schema)),
  })
}

function invalid(path: string, message: string): StoryError {
  return new StoryError('invalid', message, { errors: [{ path, message }] })
}

import type { Check, Difficulty } from '../../domain/checks/check.ts'
import { lastName } from '../../domain/world/change-words.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'

/** The check and its difficulty in one list, which needs no script. */
export function TrySelect({ checks }: { checks: readonly Check[] }): Markup {
  return (
    <select name="attempt" aria-label="What to try" title="What to try">
      {checks.map((check) => (
        <optgroup label={diceOf(check)}>
          {choicesOf(check).map((difficulty) => (
            <Attempt check={check} difficulty={difficulty} />
          ))}
        </optgroup>
      ))}
    </select>
  )
}

function choicesOf({ difficulties, player_picks_difficulty }: Check): readonly Difficulty[] {
  return player_picks_difficulty ? difficulties : difficulties.slice(0, 1)
}

/** The label of a group: each choice alone fits into the width of a phone. */
function diceOf({ name, dice, stat }: Check): string {
  return `${name}: ${dice}${stat === null ? '' : ` + ${lastName(stat)}`}`
}

function Attempt({ check: { name }, difficulty }: { check: Check; difficulty: Difficulty }): Markup {
  return (
    <option value={JSON.stringify([name, difficulty.name])}>
      {`${name}, ${difficulty.name} ${difficulty.number}`}
    </option>
  )
}

/** The choice in a form. Anything invalid is a check that no story has. */
export function attemptFrom(choice = ''): { check: string; difficulty?: string } {
  try {
    const [check, difficulty] = JSON.parse(choice) as unknown[]
    return { check: String(check), ...(difficulty === undefined ? {} : { difficulty: String(difficulty) }) }
  } catch {
    return { check: '' }
  }
}

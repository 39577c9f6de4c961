import type { Check } from '../../domain/checks/check.ts'
import type { Roll } from '../../domain/checks/roll.ts'
import { rollWords } from '../../domain/checks/roll-words.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'

/** What the dice decided, as the first of the chips below a passage. */
export function RollChip({ roll }: { roll: Roll }): Markup {
  return (
    <li class="rolled">
      <span>
        <span aria-hidden="true">⚄ </span>
        {rollWords(roll)}, <strong>{roll.outcome}</strong>
      </span>
    </li>
  )
}

/** Throws the dice of the newest turn again, where the author allows it. It retries the passage. */
export function RollAgain({ roll, checks }: { roll: Roll; checks: readonly Check[] }): Markup | null {
  const price = checks.find(({ name }) => name === roll.check)?.reroll ?? null
  if (price === null) return null
  const costs = Object.entries(price).map(([path, amount]) => `${nameOf(path)} ${signed(Number(amount))}`)
  return (
    <button type="submit" form="composer" name="again" value="1" class="quiet">
      Roll again{costs.length === 0 ? '' : `: ${costs.join(', ')}`}
    </button>
  )
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1).replaceAll('_', ' ')
}

function signed(amount: number): string {
  return amount < 0 ? `−${-amount}` : `+${amount}`
}

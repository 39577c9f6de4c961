import type { RerollOffer } from '../../app/checks/roll-again.ts'
import type { Roll } from '../../domain/checks/roll.ts'
import { rollWords } from '../../domain/checks/roll-words.ts'
import { lastName } from '../../domain/world/change-words.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'

export function RollChip({ roll }: { roll: Roll }): Markup {
  return (
    <li class="rolled">
      <span>
        <span aria-hidden="true">⚄ </span>
        {rollWords(roll)}, <strong>{roll.outcome}</strong>
        {roll.called_by === undefined ? '' : ` (“${roll.called_by}”)`}
      </span>
    </li>
  )
}

/** Throws the dice of the newest turn again and retries the passage, if its author allows it and the story can pay. */
export function RollAgain({ offer }: { offer: RerollOffer | null }): Markup | null {
  if (offer === null) return null
  const costs = Object.entries(offer.price).map(
    ([path, amount]) => `${lastName(path)} ${signed(Number(amount))}`,
  )
  const words = `Roll again${costs.length === 0 ? '' : `: ${costs.join(', ')}`}`
  if (!offer.canPay) return <span class="about">{words}, which is more than you have</span>
  return (
    <button type="submit" form="composer" name="again" value="1" class="quiet">
      {words}
    </button>
  )
}

function signed(amount: number): string {
  return amount < 0 ? `−${-amount}` : `+${amount}`
}

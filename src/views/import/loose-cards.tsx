import type { ImportChoice } from '../../app/files/import-choice.ts'
import type { ImportPreview } from '../../domain/portable/import-preview.ts'
import type { ScenarioListItem } from '../../domain/scenario.ts'
import { regionFrom } from '../form-attributes.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { formatNumber } from '../ui/format-number.ts'
import { countsOfLoose } from './choices.tsx'
import { Names } from './summary.tsx'

export interface LooseCardsProps {
  cards: ImportPreview['story_cards']
  uploadId: string
  scenarios: readonly ScenarioListItem[]
  /** 0 for a new scenario. */
  owner: number
  choice?: ImportChoice | undefined
}

export function LooseCards({ cards, uploadId, scenarios, owner, choice }: LooseCardsProps): Markup | null {
  if (cards.length === 0) return null
  return (
    <>
      <label class="field">
        <span>Add {countsOfLoose(cards)} to</span>
        <select name="owner" {...regionFrom(`/import/${uploadId}`, '#known-cards')}>
          <option value="">A new scenario</option>
          {scenarios.map(({ id, title }) => (
            <option value={String(id)} selected={id === owner}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <KnownCards cards={cards} isReplacing={choice?.duplicates === 'replace'} />
    </>
  )
}

/** Cards that their owner already has, or has in other words. */
function KnownCards({ cards, isReplacing = false }: KnownCardsProps): Markup {
  const known = cards.filter(({ is_duplicate }) => is_duplicate)
  return (
    <div id="known-cards">
      {known.length === 0 ? null : (
        <p>
          <Names names={known.map(({ name, keys }) => name || keys)} />: already there, and not imported
          again.
        </p>
      )}
      <Namesakes cards={cards} isReplacing={isReplacing} />
    </div>
  )
}

interface KnownCardsProps extends Pick<LooseCardsProps, 'cards'> {
  isReplacing?: boolean
}

function Namesakes({ cards, isReplacing = false }: KnownCardsProps): Markup | null {
  const changed = cards.flatMap(({ namesake, ...card }) =>
    namesake ? [{ ...card, before: namesake.keys }] : [],
  )
  if (changed.length === 0) return null
  return (
    <fieldset class="choice">
      <legend>Cards with a name that is there already ({formatNumber(changed.length)})</legend>
      <ul>
        {changed.map(({ name, keys, before }) => (
          <li>
            <b dir="auto">{name}</b>, triggers there: <span dir="auto">{before || 'none'}</span>; in this
            file: <span dir="auto">{keys || 'none'}</span>
          </li>
        ))}
      </ul>
      <label>
        <input type="radio" name="duplicates" value="skip" checked={!isReplacing} />
        Keep both
      </label>
      <label>
        <input type="radio" name="duplicates" value="replace" checked={isReplacing} />
        Replace
      </label>
    </fieldset>
  )
}

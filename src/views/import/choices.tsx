import { isDisabled } from '../../domain/cards/keys.ts'
import type { ImportPreview } from '../../domain/portable/import-preview.ts'
import { fillForPreview } from '../../domain/text/placeholder.ts'
import { plainProse } from '../../domain/text/prose-markup.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { Cover } from '../ui/cover.tsx'
import { countOf, formatNumber } from '../ui/format-number.ts'

type FoundScenario = ImportPreview['scenarios'][number]
type FoundStory = ImportPreview['adventures'][number]

interface Choice
  extends Pick<
    FoundScenario & FoundStory,
    'title' | 'opening' | 'image' | 'is_duplicate' | 'is_alternative'
  > {
  counts: string
}

/** Says of the same text in another form what it would be. */
const ALTERNATIVES = { scenarios: 'as an opening instead', adventures: 'as a story instead' }

/** More items than this scroll in a box of their own, which shows only the covers of the files. */
const MANY = 12

interface ChoicesProps {
  legend: string
  name: keyof typeof ALTERNATIVES
  items: readonly Choice[]
  /** Positions that were chosen before; undefined at first. */
  chosen: readonly number[] | undefined
}

export function Choices({ legend, name, items, chosen }: ChoicesProps): Markup | null {
  if (items.length === 0) return null
  const areMany = items.length > MANY
  return (
    <fieldset class={areMany ? 'choice many' : 'choice'}>
      <legend>
        {legend} ({items.length})
      </legend>
      {items.map(({ title, opening, image, counts, is_duplicate, is_alternative }, i) => (
        <div class="file">
          {image === '' && areMany ? null : <Cover title={title} icon="" image_url={image} />}
          <div>
            <label class="check">
              <input
                type="checkbox"
                name={`${name}.${i}`}
                value="1"
                checked={chosen?.includes(i) ?? !(is_duplicate || is_alternative)}
                aria-describedby={`${name}-${i}`}
              />
              <span dir="auto">
                {title}
                {is_duplicate ? <em> (already in your library)</em> : null}
                {is_alternative ? <em> ({ALTERNATIVES[name]})</em> : null}
              </span>
            </label>
            <p id={`${name}-${i}`} class="about">
              {counts || 'Text only'}
            </p>
            {opening === '' ? null : (
              <p class="snippet" dir="auto">
                {plainProse(fillForPreview(opening), 'und')}
              </p>
            )}
          </div>
        </div>
      ))}
    </fieldset>
  )
}

export function countsOfStory({ actions, memories, ...cards }: FoundStory): string {
  return listed([countOf(actions, 'passage'), countsOfCards(cards), some(memories, 'memory', 'memories')])
}

export function countsOfScenario({ openings, questions, has_stats, ...cards }: FoundScenario): string {
  return listed([
    openings > 1 ? countOf(openings, 'opening') : '',
    countsOfCards(cards),
    some(questions.length, 'placeholder'),
    has_stats ? 'stats' : '',
  ])
}

export function countsOfLoose(cards: ImportPreview['story_cards']): string {
  const disabled_cards = cards.filter(({ keys }) => isDisabled(keys)).length
  return countsOfCards({ story_cards: cards.length, disabled_cards })
}

function countsOfCards({
  story_cards,
  disabled_cards,
}: Pick<FoundScenario, 'story_cards' | 'disabled_cards'>): string {
  const off = disabled_cards === 0 ? '' : ` (${formatNumber(disabled_cards)} off)`
  return some(story_cards, 'story card') + off
}

export function some(count: number, one: string, several?: string): string {
  return count === 0 ? '' : countOf(count, one, several)
}

export function listed(parts: string[]): string {
  return parts.filter((part) => part !== '').join(', ')
}

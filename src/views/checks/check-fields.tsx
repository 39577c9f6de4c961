import { DICE } from '../../domain/checks/check.ts'
import { effectsText, outcomeLines } from '../../domain/checks/check-form.ts'
import { isObject, ownValue } from '../../lib/objects.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { Area, Check, Input, Labelled, RemoveButton } from '../scenario/definition-fields.tsx'
import { Options } from '../ui/field.tsx'

const KINDS = Object.keys(DICE).map((dice) => [dice, dice] as const)

/** One check of a scenario. */
export function CheckFields({
  name,
  definition,
}: {
  name: string
  definition: Record<string, unknown>
}): Markup {
  const path = `checks.${name}`
  const partOf = (field: string) => ownValue(definition, field)
  const textOf = (field: string) => {
    const value = partOf(field)
    return typeof value === 'string' ? value : ''
  }
  return (
    <fieldset class="counted">
      <legend class="unseen">{name.trim() || 'unnamed'}</legend>
      <div class="at-once">
        <Input label="Name" field="name" path={path} value={name.trim()} />
        <Labelled label="Dice">
          <select name={`dice:${path}`}>
            <Options options={KINDS} chosen={textOf('dice')} />
          </select>
        </Labelled>
        <Input
          label="Stat added"
          field="stat"
          path={path}
          value={textOf('stat')}
          hint="such as player.nerve"
        />
        <RemoveButton path={path} name={name.trim() || 'unnamed'} />
      </div>
      <Area
        label="Difficulties"
        field="difficulties"
        path={path}
        value={difficultyLines(partOf('difficulties'))}
        rows={3}
        hint="One per line, such as “hard 15”. The first one is the usual one"
      />
      <Check
        name={`picks:${path}`}
        label="The player picks the difficulty"
        checked={partOf('player_picks_difficulty') === true}
      />
      <Area
        label="Outcomes"
        field="outcomes"
        path={path}
        value={outcomeLines(partOf('outcomes'))}
        rows={4}
        hint="One per line: from which margin, the name, and what changes. “failure: player.health -2” has no number and is the lowest; “0 success: flags.open yes; player.coins +3”"
      />
      <Input
        label="Price of rolling again"
        field="reroll"
        path={path}
        value={priceText(partOf('reroll'))}
        hint="such as player.luck -1, or free. Leave empty for never"
      />
    </fieldset>
  )
}

function difficultyLines(list: unknown): string {
  if (!Array.isArray(list)) return ''
  return list
    .map((one) => (isObject(one) ? `${one.name ?? ''} ${one.number ?? ''}`.trim() : String(one)))
    .join('\n')
}

function priceText(price: unknown): string {
  if (!isObject(price)) return typeof price === 'string' ? price : ''
  return Object.keys(price).length === 0 ? 'free' : effectsText(price)
}

import { DICE } from '../../domain/checks/check.ts'
import { effectsText, outcomeLines } from '../../domain/checks/check-form.ts'
import { statName } from '../../domain/timing/conditions.ts'
import { pathWords } from '../../domain/world/change-words.ts'
import { nameOfStat, type Rules } from '../../domain/world/rules.ts'
import { isObject, ownValue } from '../../lib/objects.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { Area, Check, Input, Labelled, RemoveButton } from '../scenario/definition-fields.tsx'
import { Select } from '../ui/field.tsx'

const KINDS = Object.keys(DICE).map((dice) => [dice, dice] as const)

interface CheckFieldsProps {
  name: string
  definition: Record<string, unknown>
  rules: Rules
}

export function CheckFields({ name, definition, rules }: CheckFieldsProps): Markup {
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
          <Select name={`dice:${path}`} options={KINDS} chosen={textOf('dice')} />
        </Labelled>
        <Labelled label="Stat added">
          <select name={`stat:${path}`}>
            <NumberOptions rules={rules} chosen={textOf('stat')} />
          </select>
        </Labelled>
        <RemoveButton path={path} name={name.trim() || 'unnamed'} />
      </div>
      <Area
        label="Difficulties"
        field="difficulties"
        path={path}
        value={difficultyLines(partOf('difficulties'))}
        rows={3}
        hint="One per line, such as “hard 15”. The first is the default"
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
        hint="One per line: the margin from which it applies, its name, and what it changes, such as “0 success: door open yes; coins +3”. The lowest has no number: “failure: health -2”"
      />
      <Input
        label="Cost of rolling again"
        field="reroll"
        path={path}
        value={priceText(partOf('reroll'))}
        hint="Such as “luck -1”, or “free”. Leave empty if it cannot be rolled again"
      />
    </fieldset>
  )
}

/** Numbers to choose from, and the chosen one, which may be there no longer. A script renames them during typing. */
function NumberOptions({ rules: { stats, npcs }, chosen }: { rules: Rules; chosen: string }): Markup {
  const numbers = stats.filter(({ kind }) => kind !== 'text')
  const isKnown = chosen === '' || numbers.some(({ path }) => path === chosen)
  return (
    <>
      <option value="">None</option>
      {numbers.map((stat) => (
        <option
          value={stat.path}
          selected={stat.path === chosen}
          disabled={stat.name.trim() === ''}
          data-of={stat.npc && nameOfStat({ ...stat, label: '' }, npcs)}
        >
          {stat.name.trim() === '' ? 'unnamed' : statName(stat, npcs)}
        </option>
      ))}
      {isKnown ? null : (
        <option value={chosen} selected>
          {pathWords(chosen)} (no such stat)
        </option>
      )}
    </>
  )
}

/** The names that outcomes and costs can change. */
export function ChangeableNames({ rules: { stats, flags, milestones } }: { rules: Rules }): Markup | null {
  const named = [...stats, ...flags, ...milestones].filter(({ name }) => name.trim() !== '')
  if (named.length === 0) return null
  return (
    <details>
      <summary>What outcomes and costs can change</summary>
      <p class="about">
        Write a name if only one thing has it, or the whole path:{' '}
        {named.map(({ path }, i) => (
          <>
            {i === 0 ? '' : ', '}
            <code translate="no">{path}</code>
          </>
        ))}
      </p>
    </details>
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

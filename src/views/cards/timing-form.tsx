import type { Check } from '../../domain/checks/check.ts'
import type { StoryCard } from '../../domain/story-card.ts'
import {
  COMPARISONS,
  HOW_NUMBERS,
  HOW_SWITCHES,
  type HowNumber,
  MAX_CONDITIONS,
} from '../../domain/timing/timing.ts'
import { formOfTiming, offeredSubjects } from '../../domain/timing/timing-form.ts'
import { timingWords } from '../../domain/timing/timing-words.ts'
import type { Rules } from '../../domain/world/rules.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import type { FormFields } from '../respond.tsx'
import type { AutosaveText } from '../ui/autosave-form.tsx'
import { BlankRows, MoreRows } from '../ui/blank-rows.tsx'
import { Choice, Field, Select } from '../ui/field.tsx'

const RULES: Record<HowNumber, string> = {
  chance: 'Chance (%)',
  stays: 'Stays for (turns)',
  rests: 'Then rests for (turns)',
  begins: 'Only after turn',
  priority: 'Priority',
}

const SWITCHES: Record<(typeof HOW_SWITCHES)[number], string> = {
  once: 'Only once',
  triggers_others: 'Its text triggers other cards',
}

/** The list of what conditions can be about: one for a page. */
const SUBJECTS = 'timing-subjects'

/** Suggestions for the conditions in the forms of all cards. */
export function TimingSubjects({ rules, cards }: { rules: Rules; cards: readonly StoryCard[] }): Markup {
  return (
    <datalist id={SUBJECTS}>
      {offeredSubjects(rules, cards.slice(0, 200)).map(([value, label]) => (
        <option value={value} label={label} />
      ))}
    </datalist>
  )
}

/** Fields as typed, or as they are stored. */
type ShownFields = Record<string, string | undefined>

interface TimingProps {
  card: StoryCard
  checks: readonly Check[]
  /** Warnings about conditions that can never hold. */
  remarks: string[]
  typed?: FormFields | undefined
}

export const TIMING: AutosaveText = {
  name: 'timing',
  label: 'When and how often',
  shown: (stored) => timingWords(JSON.parse(stored)),
}

/** Tells the fields of one card from those of another. */
export const cardScope = (id: number) => `card-${id}-`

export function TimingFields({ card, checks, remarks, typed }: TimingProps): Markup {
  const isTyped = typed?.['what-0'] !== undefined
  const fields = isTyped ? typed : formOfTiming(card.timing ?? null)
  const rows = Object.keys(fields).filter((name) => name.startsWith('what-')).length
  const scope = cardScope(card.id)
  return (
    <details class="timing" open={isTyped || remarks.length > 0}>
      <summary>
        {TIMING.label} <TimingWords card={card} />
      </summary>
      <p class="about">
        With conditions, the card is included only when all of them hold; without triggers, whenever they
        hold. “When” takes the name of a stat, a flag or a milestone, “present” and a character, “card” and a
        name, or “turn”. Yes or no for flags, milestones, cards and who is present; a number, a label or a
        text for stats. Clear “When” to remove a condition.
      </p>
      {Array.from({ length: rows }, (_, row) => (
        <ConditionRow row={row} fields={fields} />
      ))}
      <BlankRows of={`${scope}conditions`} from={rows} max={MAX_CONDITIONS} row={blankCondition} />
      {HOW_SWITCHES.map((name) => (
        <label class="check">
          <input type="checkbox" name={name} value="1" checked={fields[name] === '1'} /> {SWITCHES[name]}
        </label>
      ))}
      <div class="row">
        {(Object.keys(HOW_NUMBERS) as HowNumber[]).map((name) => (
          <Field
            label={RULES[name]}
            name={name}
            value={fields[name] ?? ''}
            more={{ inputmode: 'numeric', size: '5' }}
          />
        ))}
        <Field label="Group" name="group" value={fields.group ?? ''} more={{ size: '12' }} />
        <Choice
          label="Triggered by"
          name="triggered_by"
          options={[
            ['', 'The story and other cards'],
            ['story', 'The story alone'],
            ['cards', 'Other cards alone'],
          ]}
          chosen={fields.triggered_by ?? ''}
        />
        <CheckFields checks={checks} fields={fields} />
      </div>
      <TimingRemarks card={card} remarks={remarks} />
    </details>
  )
}

/** The effects of a saved timing: its words in the summary, warnings, and what was left out because it is incomplete. */
export function SavedTiming({
  card,
  remarks,
  fields,
  unfinished,
}: Pick<TimingProps, 'card' | 'remarks'> & { fields: FormFields; unfinished: readonly number[] }): Markup {
  const rows = Object.keys(fields).filter((name) => name.startsWith('what-')).length
  return (
    <>
      {fields[`what-${rows - 1}`] ? (
        <MoreRows
          of={`${cardScope(card.id)}conditions`}
          from={rows}
          max={MAX_CONDITIONS}
          row={blankCondition}
        />
      ) : null}
      <TimingWords card={card} isOutOfBand />
      <TimingMark card={card} remarks={remarks} isOutOfBand />
      <TimingRemarks card={card} remarks={remarks} unfinished={unfinished} isOutOfBand />
    </>
  )
}

function TimingWords({ card, isOutOfBand = false }: { card: StoryCard; isOutOfBand?: boolean }): Markup {
  return (
    <span
      class="about"
      id={`${cardScope(card.id)}timing-words`}
      hx-swap-oob={isOutOfBand ? 'true' : undefined}
    >
      {timingWords(card.timing ?? null).replaceAll('\n', ' · ')}
    </span>
  )
}

/** Says in the summary of a card that its conditions can never hold. */
export function TimingMark({
  card,
  remarks,
  isOutOfBand = false,
}: Pick<TimingProps, 'card' | 'remarks'> & { isOutOfBand?: boolean }): Markup {
  return (
    <span class="twin" id={`${cardScope(card.id)}timing-mark`} hx-swap-oob={isOutOfBand ? 'true' : undefined}>
      {remarks.length > 0 ? ' · check its conditions' : ''}
    </span>
  )
}

interface RemarksProps extends Pick<TimingProps, 'card' | 'remarks'> {
  unfinished?: readonly number[]
  isOutOfBand?: boolean
}

function TimingRemarks({ card, remarks, unfinished = [], isOutOfBand = false }: RemarksProps): Markup {
  return (
    <div id={`${cardScope(card.id)}timing-remarks`} hx-swap-oob={isOutOfBand ? 'true' : undefined}>
      {unfinished.map((row) => (
        <p class="about" data-unfinished>
          Condition {row + 1} counts when it has a value.
        </p>
      ))}
      {remarks.map((remark) => (
        <p class="twin">{remark}</p>
      ))}
    </div>
  )
}

/** Null without checks to choose from. */
function CheckFields({ checks, fields }: { checks: readonly Check[]; fields: ShownFields }): Markup | null {
  const { check = '', difficulty = '' } = fields
  if (checks.length === 0 && check === '') return null
  const difficulties = checks.flatMap((one) => one.difficulties)
  return (
    <>
      <Choice
        label="Calls for a check"
        name="check"
        options={[['', 'None'], ...namesOf(checks, check)]}
        chosen={check}
      />
      <Choice
        label="Difficulty"
        name="difficulty"
        options={[['', 'The first'], ...namesOf(difficulties, difficulty)]}
        chosen={difficulty}
      />
    </>
  )
}

/** Names to choose from, with the chosen one, which may be there no longer. */
function namesOf(named: readonly { name: string }[], chosen: string): [value: string, label: string][] {
  const names = new Set([...named.map(({ name }) => name), chosen].filter(Boolean))
  return [...names].map((name) => [name, name])
}

function blankCondition(row: number): Markup {
  return <ConditionRow row={row} fields={{}} />
}

function ConditionRow({ row, fields }: { row: number; fields: ShownFields }): Markup {
  const chosen = fields[`is-${row}`] ?? 'at least'
  return (
    <fieldset class="row again">
      <legend class="unseen">Condition {row + 1}</legend>
      <Field
        label="When"
        name={`what-${row}`}
        value={fields[`what-${row}`] ?? ''}
        list={SUBJECTS}
        more={{ placeholder: 'choose or type' }}
      />
      <label class="field">
        <span>Is</span>
        <Select name={`is-${row}`} options={COMPARISONS.map((is) => [is, is] as const)} chosen={chosen} />
      </label>
      <Field label="Value" name={`value-${row}`} value={fields[`value-${row}`] ?? ''} more={{ size: '10' }} />
    </fieldset>
  )
}

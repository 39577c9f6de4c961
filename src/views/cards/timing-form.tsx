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
import { Choice, Field, Options } from '../ui/field.tsx'

const RULES: Record<HowNumber, string> = {
  chance: 'Chance in percent',
  stays: 'Stays for so many turns',
  rests: 'Then rests for so many turns',
  begins: 'Only after turn',
  priority: 'Priority',
}

const SWITCHES: Record<(typeof HOW_SWITCHES)[number], string> = {
  once: 'Only once',
  triggers_others: 'Its text triggers other cards',
}

/** The id of the list of what conditions can be about: one for a page. */
const SUBJECTS = 'timing-subjects'

/** What the conditions of cards can be about, for the fields of all their forms. */
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

interface TimingFormProps {
  card: StoryCard
  /** Those that it can call for. */
  checks: readonly Check[]
  /** Where and how it is sent. */
  form: Record<string, string>
  remarks: string[]
  typed: FormFields | undefined
}

/** When a card is told, and how often. */
export function TimingForm({ card, checks, form, remarks, typed }: TimingFormProps): Markup {
  const isTyped = typed?.['what-0'] !== undefined
  const fields = isTyped ? typed : formOfTiming(card.timing ?? null)
  const rows = Math.min(MAX_CONDITIONS, (card.timing?.when.length ?? 0) + 1)
  return (
    <details class="timing" open={isTyped || remarks.length > 0}>
      <summary>
        When and how often{' '}
        <span class="about">{timingWords(card.timing ?? null).replaceAll('\n', ' · ')}</span>
      </summary>
      {remarks.map((remark) => (
        <p class="twin">{remark}</p>
      ))}
      <form {...form}>
        <p class="about">
          With conditions, the card is told only when all of them hold; without triggers, whenever they hold.
          Yes or no for flags, milestones, cards and who is present; a number, a label or a text for stats.
          Empty “When” to remove a line.
        </p>
        {Array.from({ length: rows }, (_, row) => (
          <ConditionRow row={row} fields={fields} />
        ))}
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
          <Field label="One of the group" name="group" value={fields.group ?? ''} more={{ size: '12' }} />
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
        <button type="submit">Save when and how often</button>
      </form>
    </details>
  )
}

/** The check that a card calls for, and how hard it is; nothing to choose in a story without checks. */
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
        label="At the difficulty"
        name="difficulty"
        options={[['', 'The first one'], ...namesOf(difficulties, difficulty)]}
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

function ConditionRow({ row, fields }: { row: number; fields: ShownFields }): Markup {
  const chosen = fields[`is-${row}`] ?? 'at least'
  return (
    <fieldset class="row">
      <legend class="unseen">Condition {row + 1}</legend>
      <Field label="When" name={`what-${row}`} value={fields[`what-${row}`] ?? ''} list={SUBJECTS} />
      <label class="field">
        <span>Is</span>
        <select name={`is-${row}`}>
          <Options options={COMPARISONS.map((is) => [is, is] as const)} chosen={chosen} />
        </select>
      </label>
      <Field label="Value" name={`value-${row}`} value={fields[`value-${row}`] ?? ''} more={{ size: '10' }} />
    </fieldset>
  )
}

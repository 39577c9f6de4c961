import type { CardTrial, TrialStart } from '../../app/scenario/try-cards.ts'
import type { CardOwner } from '../../db/tables/story-cards.ts'
import type { TriggeredCard } from '../../domain/prompt/lore-notes.ts'
import { hasRules, type Rules } from '../../domain/world/rules.ts'
import { regionForm } from '../form-attributes.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import type { FormFields } from '../respond.tsx'
import { Field } from '../ui/field.tsx'
import { changedValues, StateFields } from '../ui/state-fields.tsx'
import { TriedCardList } from './triggered-cards.tsx'

export interface CardTest {
  fields: FormFields
  cards: TriggeredCard[]
}

interface TryCardsProps {
  owner: CardOwner
  rules: Rules
  start: TrialStart
  tried: CardTest | undefined
}

export function TryCards({ owner, rules, start, tried }: TryCardsProps): Markup {
  const fields = tried?.fields ?? {}
  return (
    <details open={tried !== undefined}>
      <summary>Try cards</summary>
      <form {...regionForm('/story-cards/try', '#tried')}>
        <OwnerField owner={owner} />
        <Field label="Text from a story" name="text" value={fields.text ?? ''} rows={3} />
        <details open={tried !== undefined && hasOtherValues(fields, start)}>
          <summary>With other values</summary>
          <div class="by-hand">
            <Field
              label="Turn"
              name="turn"
              value={fields.turn ?? String(start.turn)}
              more={{ inputmode: 'numeric', size: '5' }}
            />
            {hasRules(rules) ? <StateFields rules={rules} state={start.state} typed={fields} /> : null}
            <ToldFields told={start.told} typed={fields} />
          </div>
        </details>
        <button type="submit">Test</button>
      </form>
      <TriedCards tried={tried} />
    </details>
  )
}

/** The turns in which cards were included before. Empty for a card that was not. */
function ToldFields({ told, typed }: { told: TrialStart['told']; typed: FormFields }): Markup | null {
  const cards = Object.entries(told)
  if (cards.length === 0) return null
  return (
    <fieldset>
      <legend>Last included in turn</legend>
      {cards.map(([name, turn]) => (
        <label>
          <span dir="auto">{name}</span>
          <input
            name={`told:${name}`}
            value={typed[`told:${name}`] ?? (turn === null ? '' : String(turn))}
            inputmode="numeric"
            autocomplete="off"
          />
        </label>
      ))}
    </fieldset>
  )
}

function hasOtherValues(fields: FormFields, { turn, told }: TrialStart): boolean {
  const isOther = Object.entries(told).some(
    ([name, at]) => (fields[`told:${name}`] ?? '') !== String(at ?? ''),
  )
  return isOther || fields.turn !== String(turn) || Object.keys(changedValues(fields)).length > 0
}

function TriedCards({ tried }: { tried: Pick<CardTest, 'cards'> | undefined }): Markup {
  return (
    <div id="tried" role="status">
      {tried ? <TriedCardList cards={tried.cards} /> : null}
    </div>
  )
}

export function OwnerField({ owner }: { owner: CardOwner }): Markup {
  const [name = '', id = 0] = Object.entries(owner)[0] ?? []
  return <input type="hidden" name={name} value={String(id)} />
}

export function trialFromForm(fields: FormFields): CardTrial {
  const told = Object.entries(fields).flatMap(([name, turn]) =>
    name.startsWith('told:') && turn.trim() !== ''
      ? [[name.slice('told:'.length), Number(turn)] as const]
      : [],
  )
  return {
    text: fields.text ?? '',
    values: changedValues(fields),
    ...(fields.turn === undefined ? {} : { turn: Number(fields.turn), told: Object.fromEntries(told) }),
  }
}

import type { WorldChange } from '../domain/action.ts'
import type { Markup } from './jsx/jsx-runtime.ts'

/** What a passage changed in the world, and what the referee said to it. */
export function Changes({ changes }: { changes: WorldChange[] }): Markup {
  return (
    <ul class="changes" aria-label="What changed">
      {changes.map((change) => {
        const why = verdictWords(change)
        return (
          <li class={change.verdict} title={why}>
            <span>{changeWords(change)}</span>
            {change.reason === undefined ? null : <small aria-hidden="true"> {change.reason}</small>}
            {why === '' ? null : <span class="unseen">: {why}</span>}
          </li>
        )
      })}
    </ul>
  )
}

/** A change in a few words and signs: "warmth −8 → 24". */
export function changeWords(change: WorldChange): string {
  const name = change.label.replaceAll('_', ' ')
  switch (change.kind) {
    case 'rejected':
      return `✗ ${name}`
    case 'milestone':
      return change.on ? `✓ ${name}` : `${name} taken back`
    case 'flag':
      return `${name}: ${change.on ? 'yes' : 'no'}`
    case 'stat':
      if (change.delta === null) return `${name} → ${textWords(change.value)}`
      return change.delta === 0
        ? `${name} stays at ${String(change.value)}`
        : `${name} ${signed(change.delta)} → ${String(change.value)}`
  }
}

/** The verdict in words, with its numbers; '' where all was given as asked. */
export function verdictWords(change: WorldChange): string {
  const { reason = '' } = change
  switch (change.verdict) {
    case 'applied':
      return ''
    case 'corrected':
      return `accepted; ${reason}`
    case 'manual':
      return reason === '' ? 'set by you' : `set by you; ${reason}`
    case 'refused':
      return `not accepted${askedWords(change.asked)}: ${reason}`
    case 'limited': {
      if (change.kind !== 'stat' || change.delta === null) return reason
      return `asked ${signed(Number(change.asked))}, given ${signed(change.delta)}: ${reason}`
    }
  }
}

export function signed(amount: number): string {
  return amount < 0 ? `−${-amount}` : amount > 0 ? `+${amount}` : '0'
}

function askedWords(asked: unknown): string {
  if (typeof asked === 'number') return `, asked ${signed(asked)}`
  return typeof asked === 'boolean' || typeof asked === 'string' ? `, asked ${textWords(asked)}` : ''
}

function textWords(value: unknown): string {
  return value === '' ? 'nothing' : String(value)
}

import type { WorldChange } from '../action.ts'

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

function signed(amount: number): string {
  return amount < 0 ? `−${-amount}` : amount > 0 ? `+${amount}` : '0'
}

function askedWords(asked: unknown): string {
  if (typeof asked === 'number') return `, asked ${signed(asked)}`
  return typeof asked === 'boolean' || typeof asked === 'string' ? `, asked ${textWords(asked)}` : ''
}

function textWords(value: unknown): string {
  return value === '' ? 'nothing' : String(value)
}

import type { Markup } from '../jsx/jsx-runtime.ts'

const FORMAT = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short' })

/** A moment by the clock of this machine: March 1, 2026 at 10:00 AM. */
export function LocalTime({ at }: { at: Date }): Markup {
  return <time datetime={at.toISOString()}>{FORMAT.format(at)}</time>
}

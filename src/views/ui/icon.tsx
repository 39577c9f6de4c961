import type { Markup } from '../jsx/jsx-runtime.ts'

/** Line icons on a 20 by 20 grid. */
const SIGNS = {
  continue: 'M7 4.5l7 5.5-7 5.5z',
  retry: 'M15.5 6.5A6.5 6.5 0 1 0 16.5 10M16 3v4h-4',
  undo: 'M7.5 4L4 7.5 7.5 11M4 7.5h8a4 4 0 0 1 0 8H8',
  send: 'M10 16V4.5M5.5 9L10 4.5 14.5 9',
  stop: 'M5.5 5.5h9v9h-9z',
  more: 'M4.5 10h.01M10 10h.01M15.5 10h.01',
  down: 'M10 4v11M5.5 10.5L10 15l4.5-4.5',
  back: 'M12.5 4.5L7 10l5.5 5.5',
  branch: 'M6 17V3M6 13c0-5 8-3 8-9M11.5 6L14 3.5 16.5 6',
  bookmark: 'M5.5 3.5h9v13L10 13l-4.5 3.5z',
  steer: 'M10 3a7 7 0 1 0 0 14a7 7 0 0 0 0-14zM13 7l-1.8 4.2L7 13l1.8-4.2z',
  suggest: 'M7.5 13.5a5 5 0 1 1 5 0v1h-5zM8 17h4',
  close: 'M5 5l10 10M15 5L5 15',
} as const

/** An icon, hidden from screen readers: its control has a name. */
export function Icon({ sign }: { sign: keyof typeof SIGNS }): Markup {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={SIGNS[sign]} />
    </svg>
  )
}

export interface Shortcut {
  /** As `KeyboardEvent.key` names it, with `Ctrl+` where that is held; two with a space are pressed in turn. */
  key: string
  does: string
  /** CSS selectors of controls: the first usable one is pressed, or focused if it is a field. */
  on?: readonly string[]
  /** Removes something, so the key only focuses the control. */
  asks?: true
  /** Moves the focus to the previous (-1) or next (1) passage. */
  step?: -1 | 1
}

/** The list in the page and the script both come from this table, so they cannot differ. */
export const SHORTCUTS: readonly (readonly [title: string, keys: readonly Shortcut[]])[] = [
  [
    'Reading',
    [
      { key: 'j', does: 'Next passage', step: 1 },
      { key: 'k', does: 'Previous passage', step: -1 },
      { key: '[', does: 'Previous version', on: ['.pager button:first-of-type'] },
      { key: ']', does: 'Next version', on: ['.pager button:last-of-type'] },
      {
        key: 'e',
        does: 'Edit the selected or newest passage',
        on: [
          '#story article:focus-within a[href*="?edit="]',
          '#story article.narration:not(:has(~ .narration)) a[href*="?edit="]',
        ],
      },
    ],
  ],
  [
    'Playing',
    [
      { key: 'i', does: 'Go to the text box', on: ['#words'] },
      { key: '1', does: 'Do', on: ['.modes [value="do"]'] },
      { key: '2', does: 'Say', on: ['.modes [value="say"]'] },
      { key: '3', does: 'Story', on: ['.modes [value="story"]'] },
      { key: '4', does: 'Try, in a story with checks', on: ['.modes [value="try"]'] },
      { key: 's', does: 'Steer the next passage', on: ['#steer[open] textarea', '#steer > summary'] },
      { key: 't', does: 'Suggest what to do next', on: ['.words .suggest'] },
      { key: 'c', does: 'Continue', on: ['#tools [name="go_on"]'] },
      { key: 'r', does: 'Retry', on: ['#tools [name=retry]'] },
      { key: 'u', does: 'Go to Undo; Enter undoes', on: ['#tools [action$="/undo"] button'], asks: true },
      { key: 'Ctrl+.', does: 'Stop the narrator', on: ['#tools .stop button'] },
    ],
  ],
  [
    'Panels',
    [
      {
        key: 'w',
        does: 'World state',
        on: ['[popovertarget="world"]:not([popovertargetaction])', '#world h2'],
      },
      { key: 'p', does: 'Plot', on: ['.story-head [href*="?panel=plot"]'] },
      { key: 'm', does: 'Memory', on: ['.story-head [href*="?panel=memory"]'] },
      { key: 'o', does: 'Contents', on: ['.story-head [href*="?panel=contents"]'] },
      { key: 'x', does: 'Insights', on: ['.story-head [href*="?panel=insights"]'] },
      {
        key: 'Escape',
        does: 'Close the open panel, or go to the newest passage',
        // The browser closes popovers and dialogs.
        on: [
          '.editing:focus-within a',
          '.editing a',
          '.by-hand:focus-within .row a',
          '#panel .panel-head a',
          '.by-hand .row a',
          '.column:has(:is(#words, #steering):focus) #story > :last-child',
          '#story > article:last-of-type',
        ],
      },
    ],
  ],
  [
    'Pages',
    [
      {
        key: '/',
        does: 'Search',
        on: ['#q', '.story-head [href*="?panel=search"]', '.top [href="/search"]'],
      },
      { key: 'g h', does: 'Library', on: ['.top [href="/"]', '.to-library'] },
      { key: 'g s', does: 'Scenarios', on: ['.top [href="/scenarios"]', '#story-menu [href="/scenarios"]'] },
      { key: 'g t', does: 'Settings', on: ['.top [href="/settings"]', '#story-menu [href="/settings"]'] },
      { key: '?', does: 'This list', on: ['#show-keys'] },
    ],
  ],
]

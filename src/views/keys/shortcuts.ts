/** A key, and what it does by way of the page's own controls. */
export interface Key {
  /** As `KeyboardEvent.key` names it, with `Ctrl+` where that is held; two with a space are pressed in turn. */
  key: string
  does: string
  /** The controls that it stands for, as CSS: the first that can be used is pressed, or entered if it is a field. */
  on?: readonly string[]
  /** It leads to the passage before (-1) or behind (1). */
  step?: -1 | 1
}

/**
 * Every key of the house. The sheet of keys is drawn from this list, and the page's script does what the sheet says, so
 * that the two cannot differ.
 */
export const KEYS: readonly (readonly [title: string, keys: readonly Key[]])[] = [
  [
    'Reading',
    [
      { key: 'j', does: 'Next passage', step: 1 },
      { key: 'k', does: 'Previous passage', step: -1 },
      { key: '[', does: 'Earlier attempt', on: ['.pager button:first-of-type'] },
      { key: ']', does: 'Later attempt', on: ['.pager button:last-of-type'] },
      {
        key: 'e',
        does: 'Edit the passage, or the newest',
        on: [
          '#story article:focus-within a[href*="?edit="]',
          '#story article.narration:not(:has(~ .narration)) a[href*="?edit="]',
        ],
      },
    ],
  ],
  [
    'Telling',
    [
      { key: 'i', does: 'Write', on: ['#words'] },
      { key: '1', does: 'Do', on: ['.modes [value="do"]'] },
      { key: '2', does: 'Say', on: ['.modes [value="say"]'] },
      { key: '3', does: 'Story', on: ['.modes [value="story"]'] },
      { key: 'c', does: 'Continue', on: ['#tools [name="go_on"]'] },
      { key: 'r', does: 'Retry', on: ['#retry-form button'] },
      { key: 'u', does: 'Undo', on: ['#tools [action$="/undo"] button'] },
      { key: 'Ctrl+.', does: 'Stop the narrator', on: ['#tools .stop button'] },
    ],
  ],
  [
    'Beside the story',
    [
      { key: 'w', does: 'World', on: ['[popovertarget="world"]:not([popovertargetaction])', '#world h2'] },
      { key: 'p', does: 'Plot', on: ['.story-head [href*="?panel=plot"]'] },
      { key: 'm', does: 'Memory', on: ['.story-head [href*="?panel=memory"]'] },
      { key: 'o', does: 'Contents', on: ['.story-head [href*="?panel=contents"]'] },
      { key: 'x', does: 'Insights', on: ['.story-head [href*="?panel=insights"]'] },
      {
        key: 'Escape',
        does: 'Close what is open, or leave the field',
        // Popovers and dialogs close by themselves.
        on: [
          '.editing:focus-within a',
          '.editing a',
          '.by-hand:focus-within .row a',
          '#panel .panel-head a',
          '.by-hand .row a',
          '.column:has(#words:focus) #story > :last-child',
        ],
      },
    ],
  ],
  [
    'Places',
    [
      {
        key: '/',
        does: 'Search',
        on: ['#q', '.story-head [href^="/search"]', '.top [href="/search"]'],
      },
      { key: 'g h', does: 'Library', on: ['.top [href="/"]'] },
      { key: 'g s', does: 'Scenarios', on: ['.top [href="/scenarios"]'] },
      { key: 'g t', does: 'Settings', on: ['.top [href="/settings"]'] },
      { key: '?', does: 'This sheet', on: ['#show-keys'] },
    ],
  ],
]

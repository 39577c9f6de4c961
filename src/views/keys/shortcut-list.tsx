import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { Icon } from '../ui/icon.tsx'
import { SHORTCUTS, type Shortcut } from './shortcuts.ts'

/** Shown by the script, which shortcuts need. */
export function ShortcutsButton(): Markup {
  return (
    <button id="show-keys" type="button" class="quiet" aria-haspopup="dialog" hidden>
      Shortcuts
    </button>
  )
}

/** The script acts on this list too. */
export function ShortcutList(): Markup {
  return (
    <dialog id="keys" aria-labelledby="keys-title">
      <header class="panel-head">
        <h2 id="keys-title">Keyboard shortcuts</h2>
        <form method="dialog">
          <button type="submit" class="close" title="Close">
            <Icon sign="close" /> <span class="unseen">Close</span>
          </button>
        </form>
      </header>
      <p id="keys-off" hidden>
        <strong>Single-key shortcuts are off.</strong>
      </p>
      <p class="about">
        In a story, what you type goes to the text box. Esc leaves it for the newest passage, where single
        keys work. Turn them on or off under Reading in <a href="/settings#reading-settings">Settings</a>.
        Enter sends your text, Shift+Enter starts a new line.
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">What it does</th>
          </tr>
        </thead>
        {SHORTCUTS.map(([title, keys]) => (
          <tbody>
            <tr>
              <th scope="rowgroup" colspan="2">
                {title}
              </th>
            </tr>
            {keys.map((key) => (
              <Row {...key} />
            ))}
          </tbody>
        ))}
      </table>
    </dialog>
  )
}

function Row({ key, does, on, step, asks }: Shortcut): Markup {
  return (
    <tr
      data-key={key}
      data-step={step && String(step)}
      data-on={on && JSON.stringify(on)}
      data-asks={asks && '1'}
    >
      <td>{caps(key)}</td>
      <td>{does}</td>
    </tr>
  )
}

function caps(key: string): Child {
  const [first = '', second] = key.replace('Escape', 'Esc').replace('+', ' ').split(' ')
  return (
    <>
      <kbd>{first}</kbd> {second === undefined ? null : <kbd>{second}</kbd>}
    </>
  )
}

import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { Icon } from '../ui/icon.tsx'
import { KEYS, type Key } from './shortcuts.ts'

/** The button for the sheet of keys. Keys need script, so it is there with script alone. */
export function KeysButton(): Markup {
  return (
    <button id="show-keys" type="button" class="quiet" aria-haspopup="dialog" hidden>
      Keys
    </button>
  )
}

/** All keys of the house: what a reader looks up, and what the script acts by. */
export function KeysSheet(): Markup {
  return (
    <dialog id="keys" aria-labelledby="keys-title">
      <header class="panel-head">
        <h2 id="keys-title">Keys</h2>
        <form method="dialog">
          <button type="submit">
            <Icon sign="close" /> Close
          </button>
        </form>
      </header>
      <p id="keys-off" hidden>
        <strong>Single keys are switched off.</strong>
      </p>
      <p class="about">
        Single keys wait while you are in a field; Esc leaves the one for your words. They are switched on and
        off under Reading, in <a href="/settings#reading-settings">Settings</a>. Enter sends your words, Shift
        and Enter begins a line.
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">What it does</th>
          </tr>
        </thead>
        {KEYS.map(([title, keys]) => (
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

function Row({ key, does, on, step }: Key): Markup {
  return (
    <tr data-key={key} data-step={step && String(step)} data-on={on && JSON.stringify(on)}>
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

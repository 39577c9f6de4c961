import type { FoundServer } from '../../app/settings.ts'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'

/** The button that looks for model servers, and what was found. */
export function FindServers({ found }: { found?: Child }): Markup {
  return (
    <>
      <form
        method="post"
        action="/settings/detect#found"
        class="row"
        hx-post="/settings/detect"
        hx-target="#found"
        hx-swap="outerHTML"
      >
        <button type="submit">Find model servers on this machine</button>
        <p class="about">Asks only this machine, and only when you press it.</p>
      </form>
      {found ?? <FoundServers servers={null} />}
    </>
  )
}

/** The model servers of this machine, each with what shows that it is one; null before anybody looked. */
export function FoundServers({ servers }: { servers: readonly FoundServer[] | null }): Markup {
  return (
    <div id="found" role="status">
      {servers?.length === 0 ? (
        <p class="about">
          No model server answers on this machine. Start one, or type the address of another machine{' '}
          <a href="/settings#model">in the settings</a>.
        </p>
      ) : null}
      {servers && servers.length > 0 ? (
        <ul class="found">
          {servers.map((server) => (
            <li>
              <strong>{server.name}</strong> at <code>{server.url}</code>
              <br />
              <small>{server.evidence.join('; ')}</small>
              {server.advice === '' ? null : <p class="about">{server.advice}</p>}
              <UseForms server={server} />
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}

const MOST_BUTTONS = 12

function UseForms({ server: { url, models } }: { server: FoundServer }): Markup | null {
  if (models.length === 0) return null
  return (
    <div class="row">
      {models.slice(0, MOST_BUTTONS).map((model) => (
        <form method="post" action="/settings">
          <input type="hidden" name="endpoint_url" value={url} />
          <input type="hidden" name="model" value={model} />
          <button type="submit">Use {model}</button>
        </form>
      ))}
    </div>
  )
}

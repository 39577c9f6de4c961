import type { FoundServer } from '../../app/model/settings.ts'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'

/** The button that finds local model servers, and the result. */
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
        <p class="about">Checks only this machine, and only when you press the button.</p>
      </form>
      {found ?? <FoundServers servers={null} />}
    </>
  )
}

/** The model servers on this machine, each with how it was recognised; null before a search. */
export function FoundServers({ servers }: { servers: readonly FoundServer[] | null }): Markup {
  return (
    <div id="found" role="status">
      {servers?.length === 0 ? (
        <p class="about">
          No model server was found on this machine. Start one, or enter another machine’s address{' '}
          <a href="/settings#model">in Settings</a>.
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

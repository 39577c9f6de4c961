import { type FoundServer, modelTitle } from '../../domain/model/model-server.ts'
import { regionForm } from '../form-attributes.ts'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { formatNumber } from '../ui/format-number.ts'

/** With `onLoad`, a page with script looks by itself. */
export function FindServers({ found, onLoad = false }: { found?: Child; onLoad?: boolean }): Markup {
  return (
    <>
      <form
        class="row"
        {...regionForm('/settings/detect', '#found')}
        hx-trigger={onLoad ? 'load, submit' : undefined}
      >
        <button type="submit">Find model servers on this machine</button>
        <p class="about">Checks only this machine{onLoad ? '' : ', and only when you press the button'}.</p>
      </form>
      {found ?? <FoundServers servers={null} />}
    </>
  )
}

/** Null before a search. */
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
              <strong>{server.server === 'unknown' ? 'Model server' : server.name}</strong> at{' '}
              <code>{server.url}</code>
              {server.advice === '' ? null : <p class="about">{server.advice}</p>}
              <UseForms server={server} />
              {server.evidence.length > 0 ? (
                <details>
                  <summary>How it was recognized</summary>
                  <small>{server.evidence.join('; ')}</small>
                </details>
              ) : null}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}

const MAX_CARDS = 12

function UseForms({ server: { url, models, windows } }: { server: FoundServer }): Markup | null {
  if (models.length === 0) return null
  return (
    <ul class="models">
      {models.slice(0, MAX_CARDS).map((model) => (
        <li>
          <form method="post" action="/settings">
            <input type="hidden" name="endpoint_url" value={url} />
            <input type="hidden" name="model" value={model} />
            <input type="hidden" name="model_file" value="" />
            <div translate="no">
              <strong>{modelTitle(model)}</strong>
              <small>
                {[
                  windows[model] ? `${formatNumber(windows[model])} tokens` : '',
                  modelTitle(model) === model ? '' : model,
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </small>
            </div>
            <button type="submit">
              Use<span class="unseen"> {model}</span>
            </button>
          </form>
        </li>
      ))}
    </ul>
  )
}

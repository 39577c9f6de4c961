import type { EngineReport } from '../../app/model/engine.ts'
import type { ModelFileFacts } from '../../engine/engine.ts'
import type { EngineOffer } from '../../engine/fetch-engine.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { formatNumber, formatSize } from '../ui/format-number.ts'
import { engineUrl } from '../urls.ts'

interface ModelFilesProps {
  found: readonly ModelFileFacts[] | null
  report: Pick<EngineReport, 'state' | 'offer'>
  /** On the first page: the one that a story begins from. */
  scenario?: number | null | undefined
}

export function FindModelFiles({ found, report, scenario }: ModelFilesProps): Markup {
  const query = scenario === undefined ? '' : `?play=${scenario ?? 0}`
  const action = `${engineUrl('', 'find')}${query}`
  return (
    <>
      <form
        method="post"
        action={action}
        class="row"
        hx-post={action}
        hx-target="#model-files"
        hx-swap="outerHTML"
      >
        <button type="submit">Find model files on this machine</button>
        <p class="about">Looks in the usual folders, and only when you press the button.</p>
      </form>
      <ModelFiles found={found} report={report} scenario={scenario} />
    </>
  )
}

export function ModelFiles({ found, report: { state, offer }, scenario }: ModelFilesProps): Markup {
  const needsEngine = state.kind === 'absent' && offer !== null
  const plays = scenario !== undefined
  const label = plays ? (needsEngine ? 'Get the engine and play' : 'Play with it') : 'Use'
  return (
    <div id="model-files" role="status">
      {found?.length === 0 ? (
        <p class="about">
          No model file was found in the usual folders. Enter its path{' '}
          <a href={engineUrl('')}>under Model file</a>.
        </p>
      ) : null}
      {plays && needsEngine && offer && found && found.length > 0 ? <OfferNote offer={offer} /> : null}
      <ul class="models">
        {(found ?? []).map((facts) =>
          'refused' in facts ? null : (
            <li>
              <form method="post" action={engineUrl('', plays ? 'play' : 'use')}>
                <input type="hidden" name="model_file" value={facts.file.path} />
                {scenario ? <input type="hidden" name="scenario_id" value={String(scenario)} /> : null}
                <FoundFile facts={facts} />
                {facts.plan.window === 0 ? null : (
                  <button type="submit">
                    {label}
                    <span class="unseen"> {facts.file.name}</span>
                  </button>
                )}
              </form>
            </li>
          ),
        )}
      </ul>
    </div>
  )
}

function FoundFile({
  facts: { file, plan },
}: {
  facts: Exclude<ModelFileFacts, { refused: string }>
}): Markup {
  const license = file.license === '' ? 'license not named' : `license ${file.license}`
  const fits = plan.window > 0 ? `${formatNumber(plan.window)} tokens` : 'does not fit'
  return (
    <div translate="no">
      <strong>{file.name}</strong>
      <small>
        {formatSize(plan.needed)} of memory, free {formatSize(plan.available)} · {fits} · {license}
      </small>
      <small>{file.path}</small>
    </div>
  )
}

export function OfferNote({ offer }: { offer: EngineOffer }): Markup {
  return (
    <p class="about">
      To load a model file, Inglenook needs an engine: node-llama-cpp {offer.version} ({offer.license}{' '}
      license), a download of {offer.megabytes} MB from {offer.registry}, checked by its hashes. It is kept
      beside your library.
    </p>
  )
}

import type { EngineReport } from '../../app/model/engine.ts'
import type { EngineState, ModelFileFacts } from '../../engine/engine.ts'
import type { EngineOffer } from '../../engine/fetch-engine.ts'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { Notice, Page, WayBack } from '../layout.tsx'
import { formatNumber, formatSize } from '../ui/format-number.ts'
import { engineUrl } from '../urls.ts'
import { FindModelFiles, OfferNote } from './model-files.tsx'

interface EnginePageProps {
  report: EngineReport
  /** The model files in the usual folders; null before a search. */
  found?: readonly ModelFileFacts[] | null
  /** The story to go on to when the engine is there; '' for none. */
  next?: string
  notice?: Child
  typed?: string
}

/** Seconds after which the page looks again while something is under way. */
const AGAIN = 2

export function EnginePage({ report, found = null, next = '', notice, typed }: EnginePageProps): Markup {
  const { model } = report
  const isBusy = isUnderWay(report.state)
  return (
    <Page title="Model file" place="/settings" refresh={isBusy ? AGAIN : undefined}>
      <div class="shelf">
        <WayBack href="/settings">Back to Settings</WayBack>
        <h1>Use a model file on this machine</h1>
        <Notice>{notice}</Notice>
        <p class="about">
          With a model file in the GGUF format, Inglenook tells stories without a model server. The file stays
          where it is, and no story leaves this machine.
        </p>
        <EngineStatus report={report} next={next} />
        {report.state.kind === 'impossible' ? null : (
          <section aria-labelledby="choose">
            <h2 id="choose">{model ? 'Choose another file' : 'Choose a file'}</h2>
            <ModelFileForm typed={typed} />
            <FindModelFiles found={found} report={report} />
          </section>
        )}
        <Cleanup report={report} />
      </div>
    </Page>
  )
}

export function isUnderWay({ kind }: EngineState): boolean {
  return kind === 'fetching' || kind === 'loading'
}

/** Kept up to date by the page's script while it changes. */
export function EngineStatus({ report, next }: { report: EngineReport; next: string }): Markup {
  const { state, model, offer } = report
  return (
    <div id="engine-status" role="status" {...(isUnderWay(state) ? lookingAgain(next) : {})}>
      {model ? <ModelFileCard facts={model} /> : null}
      <StateOf state={state} />
      {state.kind === 'absent' && offer ? <GetEngine offer={offer} /> : null}
    </div>
  )
}

function lookingAgain(next: string) {
  return {
    'hx-get': engineUrl(next),
    'hx-trigger': `every ${AGAIN}s`,
    'hx-target': '#engine-status',
    'hx-swap': 'outerHTML',
  }
}

function StateOf({ state }: { state: EngineState }): Markup | null {
  switch (state.kind) {
    case 'impossible':
      return (
        <p>
          There is no engine for this machine. Start a model server instead, such as Ollama, LM Studio or
          llama.cpp, and <a href="/settings#model">find it in Settings</a>.
        </p>
      )
    case 'absent':
      return state.failure === '' ? null : (
        <p class="bad">
          {state.failure} A model server works without the engine:{' '}
          <a href="/settings#model">find one in Settings</a>.
        </p>
      )
    case 'fetching':
      return (
        <Progress
          label={`Downloading the engine: ${state.fetched} of ${state.all} packages`}
          part={state.fetched / state.all}
        />
      )
    case 'resting':
      return state.failure === '' ? (
        <p>The engine is installed. It loads the model when needed.</p>
      ) : (
        <p class="bad">{state.failure}</p>
      )
    case 'loading':
      return (
        <Progress label={`Loading the model: ${Math.floor(state.progress * 100)}%`} part={state.progress} />
      )
    case 'ready':
      return <Loaded model={state.model} />
  }
}

function Progress({ label, part }: { label: string; part: number }): Markup {
  return (
    <p>
      <label>
        {label}
        <br />
        <progress max="100" value={String(Math.floor(part * 100))} />
      </label>
    </p>
  )
}

function Loaded({ model }: { model: Extract<EngineState, { kind: 'ready' }>['model'] }): Markup {
  const { window, threads, gpu, gpu_layers, layers } = model
  return (
    <>
      <p class="good">The model is loaded. It is unloaded when nobody has played for 15 minutes.</p>
      <ul>
        <li>Context: {formatNumber(window)} tokens</li>
        <li>Threads: {threads}</li>
        <li>
          Graphics card:{' '}
          {gpu === '' ? 'not used' : `${gpu}, with ${gpu_layers} of ${layers} layers of the model`}
        </li>
      </ul>
    </>
  )
}

function ModelFileCard({ facts }: { facts: ModelFileFacts }): Markup {
  if ('refused' in facts) return <p class="bad">{facts.refused}</p>
  const { file, plan } = facts
  return (
    <div translate="no">
      <p>
        <strong>{file.name}</strong>
        {file.title === '' ? null : ` · ${file.title}`}
        <br />
        <small>{file.path}</small>
      </p>
      <ul>
        <li>
          File: {formatSize(file.bytes)}. Memory needed: {formatSize(plan.needed)}; free:{' '}
          {formatSize(plan.available)}.
        </li>
        {plan.window > 0 ? <li>Context that fits: {formatNumber(plan.window)} tokens</li> : null}
        <li>License of the model: {file.license === '' ? 'not named in the file' : file.license}</li>
      </ul>
      {plan.window > 0 ? null : <TooLarge />}
    </div>
  )
}

function TooLarge(): Markup {
  return (
    <p class="bad">
      This model does not fit into the free memory, and the machine would become very slow. Close other
      programs, or choose a smaller model.
    </p>
  )
}

function GetEngine({ offer }: { offer: EngineOffer }): Markup {
  return (
    <form method="post" action={engineUrl('', 'get')}>
      <OfferNote offer={offer} />
      {offer.withGraphics === null ? null : (
        <p>
          <label class="check">
            <input type="checkbox" name="graphics" value="true" /> Include support for graphics cards, with
            Vulkan ({offer.withGraphics} MB in all)
          </label>
        </p>
      )}
      <button type="submit" class="main">
        Get the engine
      </button>
    </form>
  )
}

function ModelFileForm({ typed = '' }: { typed?: string | undefined }): Markup {
  return (
    <form method="post" action={engineUrl('', 'use')}>
      <label class="field">
        <span>Path of the file</span>
        <input
          type="text"
          name="model_file"
          value={typed}
          required="required"
          dir="auto"
          translate="no"
          spellcheck="false"
          autocomplete="off"
          placeholder="/home/you/Downloads/model.gguf"
        />
      </label>
      <button type="submit">Use this file</button>
    </form>
  )
}

function Cleanup({ report: { state, model } }: { report: EngineReport }): Markup | null {
  const isThere = state.kind === 'resting' || state.kind === 'loading' || state.kind === 'ready'
  if (model === null && !isThere) return null
  return (
    <section aria-labelledby="stop-using">
      <h2 id="stop-using">Stop using it</h2>
      <div class="row">
        {model === null ? null : (
          <form method="post" action={engineUrl('', 'leave')}>
            <button type="submit">Use no model file</button>
          </form>
        )}
        {isThere ? (
          <form method="post" action={engineUrl('', 'remove')}>
            <button type="submit">Delete the engine</button>
          </form>
        ) : null}
      </div>
      <p class="about">The model file itself stays where it is.</p>
    </section>
  )
}

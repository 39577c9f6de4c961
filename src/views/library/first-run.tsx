import type { EngineReport } from '../../app/model/engine.ts'
import type { ScenarioListItem } from '../../domain/scenario.ts'
import { currentVisitor } from '../../http/visitor.ts'
import { FindModelFiles } from '../engine/model-files.tsx'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { FindServers } from '../settings/found-servers.tsx'
import { Cover } from '../ui/cover.tsx'

interface FirstRunProps {
  /** The scenario of a first story; none for a blank one. */
  first: ScenarioListItem | undefined
  practice: boolean
  engine: Pick<EngineReport, 'state' | 'offer'>
}

export function FirstRun({ first, practice, engine }: FirstRunProps): Markup {
  return (
    <section>
      <p class="lead">
        Interactive stories, narrated by a language model on your own machine or network: you say what you do,
        and the model tells what happens next. Built-in rules keep the stats honest, every version of a
        passage is saved, and no story leaves your network.
      </p>
      <div class="ways">
        <section>
          {first === undefined ? null : <Cover {...first} />}
          <h2>Play now</h2>
          <p>
            {practice
              ? 'The practice narrator follows simple rules. There is nothing to install.'
              : 'Your model is the narrator.'}
          </p>
          <form method="post" action="/adventures">
            {first === undefined ? null : <input type="hidden" name="scenario_id" value={String(first.id)} />}
            <button type="submit" class="main">
              {first === undefined ? 'Start a blank story' : 'Play a first story'}
            </button>
          </form>
        </section>
        {practice && currentVisitor() === null ? (
          <section>
            <h2>Connect a model</h2>
            <p>
              Is Ollama, LM Studio, llama.cpp or another server running here? Find it and choose one of its
              models.
            </p>
            <FindServers onLoad />
            {engine.state.kind === 'impossible' ? null : (
              <>
                <p>Do you have a model file (GGUF)? It needs no server.</p>
                <FindModelFiles found={null} report={engine} scenario={first?.id ?? null} />
              </>
            )}
          </section>
        ) : null}
      </div>
    </section>
  )
}

import type { Markup } from '../jsx/jsx-runtime.ts'
import { FindServers } from '../settings/found-servers.tsx'

/** What a new player reads first: what this is, a story at once, and the way to a model. */
export function FirstRun({ first, practice }: { first: number | null; practice: boolean }): Markup {
  return (
    <section>
      <p class="lead">
        Inglenook tells stories that answer you: you say what you do, and a language model on your own machine
        or network tells what comes of it. A referee keeps the numbers honest, and every attempt is kept. No
        story leaves the house.
      </p>
      <div class="ways">
        <section>
          <h2>Play at once</h2>
          <p>
            {practice
              ? 'With the practice narrator, which follows simple rules: nothing needs to be installed.'
              : 'Your model tells it.'}
          </p>
          <form method="post" action="/adventures">
            {first === null ? null : <input type="hidden" name="scenario_id" value={String(first)} />}
            <button type="submit" class="main">
              {first === null ? 'Begin with a blank page' : 'Play a first story now'}
            </button>
          </form>
        </section>
        {practice ? (
          <section>
            <h2>Connect a model</h2>
            <p>
              Does Ollama, LM Studio, llama.cpp or another server run here? It is found, and you choose its
              model.
            </p>
            <FindServers />
          </section>
        ) : null}
      </div>
    </section>
  )
}

import { FindServers } from '../found-servers.tsx'
import type { Markup } from '../jsx/jsx-runtime.ts'

/** What a new player reads first: what this is, a story at once, and the way to a model. */
export function FirstRun({ first, practice }: { first: number | null; practice: boolean }): Markup {
  return (
    <section class="first-run">
      <p class="lead">
        Inglenook tells stories that answer you: you say what you do, and a language model on your own machine
        or network tells what comes of it. A referee keeps the numbers honest, and every attempt is kept. No
        story leaves the house.
      </p>
      {first === null ? null : (
        <form class="row" method="post" action="/adventures">
          <input type="hidden" name="scenario_id" value={String(first)} />
          <button type="submit" class="main">
            Play a first story now
          </button>
          <p class="about">
            {practice
              ? 'With the practice narrator, which follows simple rules: nothing needs to be installed.'
              : 'Or choose one below.'}
          </p>
        </form>
      )}
      {practice ? <FindServers /> : null}
    </section>
  )
}

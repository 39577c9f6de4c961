import type { Markup } from '../jsx/jsx-runtime.ts'
import { Page } from '../layout.tsx'

/** For a person who started the service without a terminal. */
export function QuitForm(): Markup {
  return (
    <form class="row" method="post" action="/quit">
      <button type="submit">Quit Inglenook</button>
      <span class="about">Stops the program. Your stories are saved.</span>
    </form>
  )
}

export function QuitPage(): Markup {
  return (
    <Page title="Inglenook has quit" place="">
      <div class="shelf">
        <h1>Inglenook has quit</h1>
        <p class="lead">Your stories are saved. You can close this window.</p>
        <p>To play again, start Inglenook the way you started it before, and open this address.</p>
      </div>
    </Page>
  )
}

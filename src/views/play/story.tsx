import type { ActionView } from '../../domain/action.ts'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { storyUrl } from '../urls.ts'
import type { PlayProps } from './page-props.ts'
import { Action } from './passage/action.tsx'
import { ActionEditor } from './passage/action-editor.tsx'
import { Interrupted, Unanswered } from './passage/interrupted.tsx'
import { RewriteForm } from './passage/rewrite-form.tsx'
import { Previously } from './previously.tsx'
import { Telling } from './telling.tsx'

/** How many passages at the end of a story show all their tools: usually the player's line and its reply. */
const WITH_TOOLS = 2

/** The passages of one page, with a link to earlier ones. */
export function Story(props: PlayProps & { telling?: Child }): Markup {
  const { adventure, page, end, form, previously, look, turn } = props
  const last = page.actions.at(-1)
  const telling = props.telling ?? (turn && end ? new Telling(turn, look.language).shown : null)
  return (
    <section id="story" aria-label="Story">
      {page.has_more && page.actions[0] ? (
        <Earlier adventureId={adventure.id} before={page.actions[0]} />
      ) : null}
      {page.actions.map((action) =>
        form?.kind === 'rewrite' && end && action === last ? (
          <RewriteForm action={action} chosen={form.chosen} />
        ) : form?.kind === 'edit' && action.id === form.id ? (
          <ActionEditor action={action} text={form.text} />
        ) : (
          <Action
            action={action}
            look={look}
            newest={end !== null && action === last}
            tools={showsTools(props, action)}
          />
        ),
      )}
      {telling}
      <AfterStory {...props} />
      {previously ? <Previously {...previously} language={look.language.language} /> : null}
    </section>
  )
}

/** Whether a passage shows all its tools: the last ones, and the one that was asked for. */
export function showsTools({ page, end, asked }: PlayProps, action: ActionView): boolean {
  return (end !== null && page.actions.slice(-WITH_TOOLS).includes(action)) || action.id === asked
}

/** What follows the newest passage: a reply that was interrupted, or that the line has none. */
export function AfterStory({ adventure, page, end, turn, outcome, look }: PlayProps): Markup {
  const last = page.actions.at(-1)
  if (end?.interrupted)
    return (
      <Interrupted
        adventureId={adventure.id}
        newest={last ?? null}
        interrupted={end.interrupted}
        isExplained={outcome?.error?.detail === end.interrupted.reason}
        language={look.language}
      />
    )
  return <>{last?.waiting && !turn ? <Unanswered /> : null}</>
}

function Earlier({ adventureId, before }: { adventureId: number; before: ActionView }): Markup {
  const href = storyUrl(adventureId, { before: before.id })
  return (
    <nav id="earlier" aria-label="Earlier passages">
      <a href={href} hx-get={href} hx-select="#story > *" hx-target="#earlier" hx-swap="outerHTML">
        Show earlier passages
      </a>
    </nav>
  )
}

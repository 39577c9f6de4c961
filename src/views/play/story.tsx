import type { ActionView } from '../../domain/action.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { storyUrl } from '../urls.ts'
import type { PlayProps } from './page-props.ts'
import { Action } from './passage/action.tsx'
import { ActionEditor } from './passage/action-editor.tsx'
import { Interrupted, Unanswered } from './passage/interrupted.tsx'
import { RewriteForm } from './passage/rewrite-form.tsx'
import { Previously } from './previously.tsx'
import { Telling } from './telling.tsx'

/** Passages at the end of a story that show all their tools: usually the player's line and its reply. */
const WITH_TOOLS = 2

export interface Part {
  shown: Markup
  /** Null for parts that are no passage. */
  action: ActionView | null
  /** The passage with all its tools, which a reader may have opened; null if it has them anyway. */
  withTools: (() => Markup) | null
}

/** The parts of the story by their ids, in order: passages, and what follows them. */
export type Parts = Map<string, Part>

export function partsOf(props: PlayProps, telling: Telling | null): Parts {
  const { page, end, look, asked } = props
  const newest = end && page.actions.at(-1)
  const last = end ? page.actions.slice(-WITH_TOOLS) : []
  const parts: Parts = new Map()
  for (const action of page.actions) {
    const tools = last.includes(action) || action.id === asked
    const passage = <Action action={action} look={look} newest={action === newest} tools={tools} />
    const withTools = tools ? null : () => <Action action={action} look={look} tools />
    parts.set(`action-${action.id}`, { shown: formOf(props, action) ?? passage, action, withTools })
  }
  if (telling) parts.set('telling', { shown: telling.shown, action: null, withTools: null })
  const after = <AfterStory {...props} />
  if (after.html !== '') parts.set('interrupted', { shown: after, action: null, withTools: null })
  return parts
}

/** Null for a passage without a form. */
function formOf({ page, end, form }: PlayProps, action: ActionView): Markup | null {
  if (form?.kind === 'edit' && action.id === form.id) return <ActionEditor action={action} text={form.text} />
  const isRewritten = form?.kind === 'rewrite' && end && action === page.actions.at(-1)
  return isRewritten ? <RewriteForm action={action} chosen={form.chosen} /> : null
}

export function Story({ parts, ...props }: PlayProps & { parts?: Parts }): Markup {
  const { adventure, page, end, previously, look, turn } = props
  const all = parts ?? partsOf(props, turn && end && new Telling(turn, look.language))
  return (
    <section id="story" aria-label="Story">
      {page.has_more && page.actions[0] ? (
        <Earlier adventureId={adventure.id} before={page.actions[0]} />
      ) : null}
      {[...all.values()].map(({ shown }) => shown)}
      {previously ? <Previously {...previously} language={look.language.language} /> : null}
    </section>
  )
}

function AfterStory({ adventure, page, end, turn, outcome, look }: PlayProps): Markup {
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

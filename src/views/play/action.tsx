import { type ActionView, type Cut, isPlayerLine } from '../../domain/action.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { Changes } from './changes.tsx'
import { Prose } from './prose.tsx'

/** One action of a story. `newest` may be switched between its attempts. */
export function Action({ action, newest = false }: { action: ActionView; newest?: boolean }): Markup {
  return (
    <article
      id={`action-${action.id}`}
      class={lookOf(action)}
      data-index={action.index}
      tabindex="-1"
      aria-labelledby={`heading-${action.id}`}
    >
      <h2 id={`heading-${action.id}`} class="unseen">
        {headingOf(action)}
      </h2>
      {action.reasoning ? <Reasoning text={action.reasoning} /> : null}
      {action.text.trim() === '' ? (
        <Empty action={action} />
      ) : (
        <div class="prose">
          <Prose text={shownText(action)} />
        </div>
      )}
      {action.cut ? <CutMark cut={action.cut} newest={newest} /> : null}
      {action.not_recorded ? <p class="about">Changes not recorded. {action.not_recorded}</p> : null}
      {action.world_changes.length > 0 ? <Changes changes={action.world_changes} /> : null}
      <footer class="tools-of-action">
        {action.variant_count > 1 ? <Pager action={action} newest={newest} /> : null}
        <div class="more">
          <EditLink action={action}>Edit</EditLink>
          <form
            method="post"
            action={`/adventures/${action.adventure_id}/mark`}
            hx-post={`/adventures/${action.adventure_id}/mark`}
            hx-target="#panel"
            hx-swap="innerHTML"
          >
            <input type="hidden" name="action" value={String(action.id)} />
            <button type="submit" class="quiet" title="Find this passage again under Contents">
              Mark
            </button>
          </form>
          <form method="post" action={`/adventures/${action.adventure_id}/copy`}>
            <input type="hidden" name="up_to" value={String(action.id)} />
            <button
              type="submit"
              class="quiet"
              title="A new adventure that has come this far; this one stays"
            >
              New story from here
            </button>
          </form>
        </div>
      </footer>
    </article>
  )
}

function Empty({ action }: { action: ActionView }): Markup {
  if (action.type !== 'start') return <p class="about">An empty passage.</p>
  return (
    <p class="about">
      This story has no opening yet. <EditLink action={action}>Write the opening</EditLink>, or begin below.
    </p>
  )
}

function EditLink({ action, children }: { action: ActionView; children?: Child }): Markup {
  return (
    <a
      href={`/adventures/${action.adventure_id}?edit=${action.id}#action-${action.id}`}
      {...swapOf(action, 'edit')}
    >
      {children}
    </a>
  )
}

function lookOf({ type }: ActionView): string {
  if (isPlayerLine(type)) return 'line'
  return type === 'start' ? 'narration opening' : 'narration'
}

// The mark in front of a stored line is for the model; the page shows a player's words by their look.
function shownText({ type, text }: ActionView): string {
  return isPlayerLine(type) ? text.replace(/^> /, '') : text
}

/** The same action, open for new words. */
export function ActionEditor({ action, text = action.text }: { action: ActionView; text?: string }): Markup {
  const field = `words-${action.id}`
  return (
    <article id={`action-${action.id}`} class="editing" aria-labelledby={`heading-${action.id}`}>
      <h2 id={`heading-${action.id}`} class="unseen">
        Edit: {headingOf(action)}
      </h2>
      <form
        method="post"
        action={`/adventures/${action.adventure_id}/edit`}
        hx-post={`/adventures/${action.adventure_id}/edit`}
        hx-target={`#action-${action.id}`}
        hx-swap="outerHTML"
      >
        <input type="hidden" name="action" value={String(action.id)} />
        <input type="hidden" name="variant_index" value={String(action.variant_index)} />
        <label for={field}>New words for this passage</label>
        <textarea id={field} name="text" maxlength={String(2 * LIMITS.line)} autofocus>
          {`\n${text}`}
        </textarea>
        <p class="row">
          <button type="submit" class="main">
            Save
          </button>
          <a href={placeOf(action)} {...swapOf(action)}>
            Cancel
          </a>
        </p>
      </form>
    </article>
  )
}

/** The page that a passage stands in, wherever in its story that is. */
export function placeOf({ id, adventure_id }: Pick<ActionView, 'id' | 'adventure_id'>): string {
  return `/adventures/${adventure_id}?at=${id}#action-${id}`
}

function swapOf(action: ActionView, mode?: 'edit'): Record<string, string> {
  const query = mode === 'edit' ? `edit=${action.id}` : `show=${action.id}`
  const id = `#action-${action.id}`
  return {
    'hx-get': `/adventures/${action.adventure_id}?${query}`,
    'hx-select': id,
    'hx-target': id,
    'hx-swap': 'outerHTML',
  }
}

/** Leads from one attempt to the next. On an earlier passage it only counts: the story has gone on from there. */
function Pager({ action, newest }: { action: ActionView; newest: boolean }): Markup {
  const { variant_index: live, variant_count: count } = action
  const href = `/adventures/${action.adventure_id}?panel=attempts&action=${action.id}`
  const place = (
    <a
      href={`${href}#panel`}
      title="See the attempts side by side"
      hx-get={href}
      hx-select="#panel"
      hx-target="#panel"
      hx-swap="outerHTML"
    >
      <span class="unseen">{`Attempt ${live + 1} of ${count}`}</span>
      <span aria-hidden="true">{`${live + 1}/${count}`}</span>
    </a>
  )
  if (!newest) return <span class="pager">{place}</span>
  const step = (to: number, name: string, sign: string): Child => (
    <button
      type="submit"
      name="index"
      value={String(to)}
      aria-label={name}
      title={name}
      disabled={to < 0 || to >= count}
    >
      {sign}
    </button>
  )
  return (
    <form
      class="pager"
      method="post"
      action={`/adventures/${action.adventure_id}/variant`}
      hx-post={`/adventures/${action.adventure_id}/variant`}
      hx-target="#notice"
      hx-swap="innerHTML"
    >
      <input type="hidden" name="action" value={String(action.id)} />
      {step(live - 1, 'Earlier attempt', '‹')}
      {place}
      {step(live + 1, 'Later attempt', '›')}
    </form>
  )
}

/** What the model thought before it told; closed until someone wants to know. */
export function Reasoning({ text }: { text: string }): Markup {
  return (
    <details class="reasoning">
      <summary>What the narrator thought</summary>
      <p>{text}</p>
    </details>
  )
}

/** Why the passage ends early, and the way on. */
function CutMark({ cut, newest }: { cut: Cut; newest: boolean }): Markup {
  return (
    <div class="cut row">
      <p class="about">{CUTS[cut]}</p>
      {newest ? (
        <button type="submit" form="composer" name="go_on" value="1">
          Go on
        </button>
      ) : null}
    </div>
  )
}

const CUTS: Record<Cut, string> = {
  length: 'The passage reached the output limit. Raise “Output tokens” in Settings for longer ones.',
  stopped: 'You stopped the narrator here.',
}

function headingOf({ type, index }: ActionView): string {
  if (type === 'start') return 'Opening'
  return isPlayerLine(type) ? `You, passage ${index}` : `Narrator, passage ${index}`
}

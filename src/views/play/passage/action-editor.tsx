import { type ActionView, isPlayerLine } from '../../../domain/action.ts'
import { LIMITS } from '../../../domain/limits.ts'
import type { Markup } from '../../jsx/jsx-runtime.ts'
import { passageUrl, storyUrl } from '../../urls.ts'
import { headingOf } from './heading.tsx'

export function ActionEditor({
  action,
  text = action.text,
}: {
  action: ActionView
  text?: string | undefined
}): Markup {
  const field = `words-${action.id}`
  return (
    <article id={`action-${action.id}`} class="editing" aria-labelledby={`heading-${action.id}`}>
      <h2 id={`heading-${action.id}`} class="unseen">
        Edit: {headingOf(action)}
      </h2>
      <p class="elsewhere about" role="status" />
      <form
        method="post"
        action={`${storyUrl(action.adventure_id)}/edit`}
        hx-post={`${storyUrl(action.adventure_id)}/edit`}
        hx-target={`#action-${action.id}`}
        hx-swap="outerHTML"
      >
        <input type="hidden" name="action" value={String(action.id)} />
        <input type="hidden" name="variant_index" value={String(action.variant_index)} />
        <label for={field}>Text of this passage</label>
        <textarea
          id={field}
          name="text"
          dir="auto"
          translate="no"
          maxlength={String(2 * LIMITS.line)}
          autofocus
        >
          {`\n${text}`}
        </textarea>
        {isPlayerLine(action.type) && text.startsWith('>') ? (
          <p class="about">The “&gt;” tells the narrator that this line is yours.</p>
        ) : null}
        <label class="check">
          <input type="checkbox" name="hidden" value="1" checked={action.hidden} /> Hide from the narrator:
          you still read it, the model does not
        </label>
        <p class="row">
          <button type="submit" class="main">
            Save
          </button>
          <a href={passageUrl(action)}>Cancel</a>
        </p>
      </form>
    </article>
  )
}

import type { ActionView } from '../../../domain/action.ts'
import { noticeForm, regionFrom } from '../../form-attributes.ts'
import type { Child, Markup } from '../../jsx/jsx-runtime.ts'
import { branchesUrl, storyUrl } from '../../urls.ts'
import type { StoryLook } from '../story-look.ts'

function BookmarkForm({ action, isBookmarked }: { action: ActionView; isBookmarked: boolean }): Markup {
  const { id, adventure_id } = action
  const to = `${storyUrl(adventure_id)}/bookmark`
  return (
    <form
      id={`bookmark-${id}`}
      method="post"
      action={to}
      hx-post={to}
      hx-target={`#action-${id}`}
      hx-swap="outerHTML"
    >
      <input type="hidden" name="action" value={String(id)} />
      {isBookmarked ? (
        <button type="submit" class="quiet" name="off" value="1" title="Remove the bookmark">
          Bookmarked
        </button>
      ) : (
        <button type="submit" class="quiet" title="Find this passage again under Contents">
          Bookmark
        </button>
      )}
    </form>
  )
}

export function MoreTools({ action, look }: { action: ActionView; look: StoryLook }): Markup {
  return (
    <>
      <BookmarkForm action={action} isBookmarked={look.bookmarked.has(action.id)} />
      <form method="post" action={branchesUrl(action.adventure_id)}>
        <input type="hidden" name="action" value={String(action.id)} />
        <button
          type="submit"
          class="quiet"
          title="Continue differently from here, in a new branch; this one stays as it is"
          aria-label="Branch from here"
        >
          Branch
        </button>
      </form>
      <button type="button" class="quiet listen" title="Read aloud from here, with a voice on this device">
        Listen
      </button>
    </>
  )
}

/** On earlier passages only the number of versions is shown: the story has continued from one. */
export function Pager({ action, newest }: { action: ActionView; newest: boolean }): Markup {
  const { variant_index: live, variant_count: count } = action
  const href = storyUrl(action.adventure_id, { panel: 'attempts', action: action.id })
  const position = (
    <a href={`${href}#panel`} title="Compare versions" {...regionFrom(href, '#panel')}>
      <span class="unseen">{`Version ${live + 1} of ${count}`}</span>
      <span aria-hidden="true">{`${live + 1}/${count}`}</span>
    </a>
  )
  if (!newest) return <span class="pager">{position}</span>
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
    <form class="pager" {...noticeForm(`${storyUrl(action.adventure_id)}/variant`)}>
      <input type="hidden" name="action" value={String(action.id)} />
      {step(live - 1, 'Previous version', '‹')}
      {position}
      {step(live + 1, 'Next version', '›')}
    </form>
  )
}

import { type ActionView, type Cut, isPlayerLine } from '../../../domain/action.ts'
import { LIMITS } from '../../../domain/limits.ts'
import { takesDropCap } from '../../../domain/text/drop-cap.ts'
import { RollAgain } from '../../checks/roll-chip.tsx'
import { noticeForm } from '../../form-attributes.ts'
import type { Child, Markup } from '../../jsx/jsx-runtime.ts'
import { ProseBlock } from '../../prose/prose.tsx'
import { Icon } from '../../ui/icon.tsx'
import { branchesUrl, passageUrl, storyUrl } from '../../urls.ts'
import type { StoryLook } from '../story-look.ts'
import { Changes } from './changes.tsx'

interface ActionProps {
  action: ActionView
  look: StoryLook
  /** Only the newest passage can be switched between its versions. */
  newest?: boolean
  /** Whether all its tools are shown; otherwise they are behind a link, since a page has many passages. */
  tools?: boolean
}

/** One passage of a story. With script, its links to itself replace it (`public/story/passage-links.js`). */
export function Action({ action, look, newest = false, tools = newest }: ActionProps): Markup {
  return (
    <article
      id={`action-${action.id}`}
      class={lookOf(action)}
      tabindex="-1"
      aria-labelledby={`heading-${action.id}`}
    >
      <PassageHeading action={action} isBookmarked={look.bookmarked.has(action.id)} />
      {action.reasoning ? <Reasoning text={action.reasoning} /> : null}
      {action.text.trim() === '' ? (
        <Empty action={action} />
      ) : (
        <ProseBlock text={shownText(action)} language={look.language} />
      )}
      {action.cut ? <CutMark cut={action.cut} newest={newest} /> : null}
      <Changes changes={action.world_changes} rules={look.rules} roll={action.roll} />
      <footer class="tools-of-action">
        {action.variant_count > 1 ? <Pager action={action} newest={newest} /> : null}
        {action.not_recorded ? <NotRecorded why={action.not_recorded} newest={newest} /> : null}
        {action.hidden ? <span class="about">Hidden from the narrator</span> : null}
        {action.steering ? <Steered steering={action.steering} newest={newest} /> : null}
        <div class="more">
          <EditLink action={action}>Edit</EditLink>
          {newest && action.type === 'ai' ? <RewriteLink action={action} /> : null}
          {newest && action.roll ? <RollAgain offer={look.reroll()} /> : null}
          {tools ? <MoreTools action={action} look={look} /> : <a href={passageUrl(action)}>More</a>}
        </div>
      </footer>
    </article>
  )
}

/** The heading of a passage, which is heard, and beside the passage the sign of its bookmark. */
export function PassageHeading({
  action,
  isBookmarked,
}: {
  action: Pick<ActionView, 'id' | 'type' | 'index'>
  isBookmarked: boolean
}): Markup {
  const id = `heading-${action.id}`
  const heading = headingOf(action)
  if (!isBookmarked)
    return (
      <h2 id={id} class="unseen">
        {heading}
      </h2>
    )
  return (
    <h2 id={id} class="bookmarked" title="Bookmarked">
      <Icon sign="bookmark" />
      <span class="unseen">{heading}, bookmarked</span>
    </h2>
  )
}

/** Sets the bookmark of a passage, or removes it. */
export function BookmarkForm({
  action: { id, adventure_id },
  isBookmarked,
}: {
  action: Pick<ActionView, 'id' | 'adventure_id'>
  isBookmarked: boolean
}): Markup {
  const to = `${storyUrl(adventure_id)}/bookmark`
  return (
    <form id={`bookmark-${id}`} method="post" action={to} hx-post={to} hx-swap="none">
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

function MoreTools({ action, look }: Pick<ActionProps, 'action' | 'look'>): Markup {
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

function Empty({ action }: { action: ActionView }): Markup {
  if (action.type !== 'start') return <p class="about">Empty passage.</p>
  return (
    <p class="about">
      This story has no opening yet. <EditLink action={action}>Write the opening</EditLink>, or start below.
    </p>
  )
}

function EditLink({ action, children }: { action: ActionView; children?: Child }): Markup {
  return <a href={`${storyUrl(action.adventure_id, { edit: action.id })}#action-${action.id}`}>{children}</a>
}

function RewriteLink({ action }: { action: ActionView }): Markup {
  const href = `${storyUrl(action.adventure_id, { rewrite: action.id })}#action-${action.id}`
  return (
    <a href={href} title="Choose sentences and say how; this version is kept">
      Rewrite<span class="unseen"> a part</span>
    </a>
  )
}

function lookOf({ type, text }: ActionView): string {
  if (isPlayerLine(type)) return 'line'
  return type === 'start' && takesDropCap(text) ? 'narration drop-cap' : 'narration'
}

// The "> " before a stored line is for the model; the page sets a player's lines apart by style.
function shownText({ type, text }: ActionView): string {
  return isPlayerLine(type) ? text.replace(/^> /, '') : text
}

/** A passage as an edit form. */
export function ActionEditor({ action, text = action.text }: { action: ActionView; text?: string }): Markup {
  const field = `words-${action.id}`
  return (
    <article id={`action-${action.id}`} class="editing" aria-labelledby={`heading-${action.id}`}>
      <h2 id={`heading-${action.id}`} class="unseen">
        Edit: {headingOf(action)}
      </h2>
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

/** Switches between versions. On earlier passages it only shows their number: the story has continued from one. */
function Pager({ action, newest }: { action: ActionView; newest: boolean }): Markup {
  const { variant_index: live, variant_count: count } = action
  const href = storyUrl(action.adventure_id, { panel: 'attempts', action: action.id })
  const position = (
    <a
      href={`${href}#panel`}
      title="Compare versions"
      hx-get={href}
      hx-select="#panel"
      hx-target="#panel"
      hx-swap="outerHTML"
    >
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

/** The model's reasoning before its reply, collapsed. */
function Reasoning({ text }: { text: string }): Markup {
  return (
    <details class="reasoning">
      <summary>Reasoning</summary>
      <p dir="auto">{text}</p>
    </details>
  )
}

/** A sign that opens to the reason. On the newest passage it says what it means. */
function NotRecorded({ why, newest }: { why: string; newest: boolean }): Markup {
  return (
    <details class="missed">
      <summary title="Changes not recorded">
        <span aria-hidden="true">∅</span>{' '}
        <span class={newest ? undefined : 'unseen'}>Changes not recorded</span>
      </summary>
      <span>
        {newest ? '' : 'Changes not recorded. '}
        {why}
      </span>
    </details>
  )
}

/** The player's note for the passage. */
function Steered({ steering, newest }: { steering: string; newest: boolean }): Markup {
  return (
    <details class="reasoning">
      <summary>Steered</summary>
      <p dir="auto" translate="no">
        {steering}
      </p>
      {newest ? (
        <button type="submit" form="composer" name="retry" value="unsteered">
          Retry without this note
        </button>
      ) : null}
    </details>
  )
}

/** Why the passage ends early, with a button to continue it. */
function CutMark({ cut, newest }: { cut: Cut; newest: boolean }): Markup {
  return (
    <div class="cut row">
      <p class="about">{CUTS[cut]}</p>
      {newest ? (
        <button type="submit" form="composer" name="go_on" value="1">
          Continue
        </button>
      ) : null}
    </div>
  )
}

const CUTS: Record<Cut, string> = {
  repeated: 'The model began to repeat itself, so the passage ends here.',
  length: 'This passage reached the length limit. Raise “Max response length” in Settings for longer ones.',
  stopped: 'The narrator was stopped here.',
}

function headingOf({ type, index }: Pick<ActionView, 'type' | 'index'>): string {
  if (type === 'start') return 'Opening'
  return isPlayerLine(type) ? `You, passage ${index}` : `Narrator, passage ${index}`
}

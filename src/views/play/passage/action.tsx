import { type ActionView, type Cut, isPlayerLine } from '../../../domain/action.ts'
import { withoutLineMark } from '../../../domain/text/player-line.ts'
import { takesDropCap } from '../../../domain/text/prose-markup.ts'
import { breaksOff } from '../../../domain/text/sentence-spans.ts'
import { RollAgain } from '../../checks/roll-chip.tsx'
import { noticeForm } from '../../form-attributes.ts'
import type { Child, Markup } from '../../jsx/jsx-runtime.ts'
import { ProseBlock } from '../../prose/prose.tsx'
import { passageUrl, storyUrl } from '../../urls.ts'
import type { StoryLook } from '../story-look.ts'
import { Changes } from './changes.tsx'
import { PassageHeading } from './heading.tsx'
import { MoreTools, Pager } from './tools.tsx'

interface ActionProps {
  action: ActionView
  look: StoryLook
  /** Only the newest passage can be switched between its versions. */
  newest?: boolean
  /** Shows all tools at once; otherwise a link leads to them, since a page has many passages. */
  tools?: boolean
}

/** With script, the links of a passage to itself replace it (`public/story/passage-links.js`). */
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
        <ProseBlock
          text={isPlayerLine(action.type) ? withoutLineMark(action.text) : action.text}
          language={look.language}
        />
      )}
      <CutMark action={action} newest={newest} />
      <Changes changes={action.world_changes} rules={look.rules} roll={action.roll} />
      <footer class="tools-of-action">
        {action.variant_count > 1 ? <Pager action={action} newest={newest} /> : null}
        {action.id === look.recorded() ? <RecordingMark /> : null}
        {action.not_recorded ? <NotRecorded why={action.not_recorded} newest={newest} /> : null}
        {action.hidden ? <span class="about">Hidden from the narrator</span> : null}
        {action.steering ? <Steered steering={action.steering} newest={newest} /> : null}
        <div class="more">
          <EditLink action={action}>Edit</EditLink>
          {newest && action.type === 'ai' ? <RewriteLink action={action} /> : null}
          {newest && action.type === 'ai' && look.recorded() === null && look.offersRecord() ? (
            <RecordAgain action={action} />
          ) : null}
          {newest && action.roll ? <RollAgain offer={look.reroll()} /> : null}
          {tools ? <MoreTools action={action} look={look} /> : <a href={passageUrl(action)}>More</a>}
        </div>
      </footer>
    </article>
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

function Reasoning({ text }: { text: string }): Markup {
  return (
    <details class="reasoning">
      <summary>Reasoning</summary>
      <p dir="auto">{text}</p>
    </details>
  )
}

function RecordingMark(): Markup {
  return (
    <span
      id="recording"
      class="about"
      title="The model is asked for the changes of this passage. You can keep playing."
    >
      recording…
    </span>
  )
}

function RecordAgain({ action: { adventure_id } }: Pick<ActionProps, 'action'>): Markup {
  return (
    <form {...noticeForm(`${storyUrl(adventure_id)}/record`)}>
      <button type="submit" class="quiet" title="Ask which values this passage changes">
        Record changes
      </button>
    </form>
  )
}

/** On the newest passage, the text of the reason is visible too. */
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

function CutMark({ action, newest }: { action: ActionView; newest: boolean }): Markup | null {
  const { cut, type, text } = action
  // A model server that fails may end its reply as if it were whole.
  const isUnfinished = newest && type === 'ai' && breaksOff(text)
  if (!cut && !isUnfinished) return null
  return (
    <div class="cut row">
      <p class="about">{cut ? CUTS[cut] : 'This passage breaks off in mid-sentence.'}</p>
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
  player: 'This passage ends where the model began to write your part.',
  length: 'This passage reached the length limit. Raise “Max response length” in Settings for longer ones.',
  stopped: 'The narrator was stopped here.',
}

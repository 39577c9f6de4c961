import type { Check } from '../../domain/checks/check.ts'
import { LIMITS } from '../../domain/limits.ts'
import { TrySelect } from '../checks/try-select.tsx'
import { noticeForm } from '../form-attributes.ts'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { Notice } from '../layout.tsx'
import { Icon } from '../ui/icon.tsx'
import { storyUrl } from '../urls.ts'
import { SuggestButton, Suggestions, type SuggestionsProps } from './suggestions.tsx'

export interface ComposerText {
  type: string
  text: string
  /** The note to the narrator about the next passage. */
  steering: string
}

const MODES = [
  ['do', 'Do', 'What do you do?'],
  ['say', 'Say', 'What do you say?'],
  ['story', 'Story', 'What happens?'],
  ['try', 'Try', 'What do you try?'],
] as const

interface ComposerProps {
  adventureId: number
  typed: ComposerText
  checks: readonly Check[]
  suggested: Omit<SuggestionsProps, 'adventureId'>
  /** The reason for a refusal. */
  notice?: Child
}

/** The text stays in the box until it is stored. */
export function Composer({ adventureId, typed, checks, suggested, notice }: ComposerProps): Markup {
  return (
    <form id="composer" class="turn" {...noticeForm(`${storyUrl(adventureId)}/turns`)}>
      <Notice>{notice}</Notice>
      {checks.length > 0 ? <TrySelect checks={checks} /> : null}
      <Suggestions adventureId={adventureId} {...suggested} />
      <div class="words">
        <label class="unseen" for="words">
          Your text
        </label>
        <ComposerField adventureId={adventureId} typed={typed} />
        <button type="submit" class="main">
          <Icon sign="send" /> <span class="name">Send</span>
        </button>
        <SuggestButton adventureId={adventureId} />
      </div>
      <ActionTypes typed={typed} checks={checks} />
      <Steering steering={typed.steering} />
    </form>
  )
}

export function ActionTypes({
  typed,
  checks,
}: {
  typed: Pick<ComposerText, 'type'>
  checks: readonly Check[]
}): Markup {
  const mode = modeOf(typed)
  return (
    <fieldset class="modes">
      <legend class="unseen">Type of input</legend>
      {MODES.filter(([type]) => type !== 'try' || checks.length > 0).map(([type, name, placeholder]) => (
        <label>
          <input
            type="radio"
            name="type"
            value={type}
            checked={type === mode}
            data-placeholder={placeholder}
          />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** Not part of the story; goes along with every form that asks for a passage. */
export function Steering({ steering }: Pick<ComposerText, 'steering'>): Markup {
  return (
    <details id="steer" open={steering !== ''}>
      <summary title="Steer the next passage">
        <Icon sign="steer" /> <span class="name">Steer</span>
      </summary>
      <label for="steering" class="about">
        For the next passage only, and not part of the story
      </label>
      <textarea
        id="steering"
        name="steering"
        rows="2"
        dir="auto"
        translate="no"
        maxlength={String(2 * LIMITS.steering)}
        placeholder="Tell the narrator what should happen, or how."
      >
        {`\n${steering}`}
      </textarea>
    </details>
  )
}

/** A script saves the content as a draft, a moment after the last key. */
export function ComposerField({ adventureId, typed }: { adventureId: number; typed: ComposerText }): Markup {
  return (
    <textarea
      id="words"
      name="text"
      rows="2"
      dir="auto"
      translate="no"
      placeholder={MODES.find(([type]) => type === modeOf(typed))?.[2]}
      hx-post={`${storyUrl(adventureId)}/draft`}
      hx-trigger="save-draft"
      hx-include="#composer"
      hx-swap="none"
    >
      {`\n${typed.text}`}
    </textarea>
  )
}

function modeOf({ type }: Pick<ComposerText, 'type'>): string {
  return MODES.some(([known]) => known === type) ? type : 'do'
}

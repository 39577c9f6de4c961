import { LIMITS } from '../../domain/limits.ts'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { Notice } from '../layout.tsx'

/** What stands in the composer. */
export interface Typed {
  type: string
  text: string
}

export const NOTHING_TYPED: Typed = { type: 'do', text: '' }

const MODES = [
  ['do', 'Do', 'What do you do?'],
  ['say', 'Say', 'What do you say?'],
  ['story', 'Story', 'What happens?'],
] as const

/** Where the player writes. Words stay in the field until the library has them. */
export function Composer({
  adventureId,
  typed,
  notice,
}: {
  adventureId: number
  typed: Typed
  /** A refusal stands where it is seen: with the words that it is about. */
  notice?: Child
}): Markup {
  return (
    <form
      id="composer"
      class="turn"
      method="post"
      action={`/adventures/${adventureId}/turns`}
      hx-post={`/adventures/${adventureId}/turns`}
      hx-target="#notice"
      hx-swap="innerHTML"
      x-data="composer"
      x-on:submit="sending"
      x-on:turn-stored="stored"
      x-on:keydown="keydown"
      x-on:input="typing"
    >
      <Notice>{notice}</Notice>
      <div class="words">
        <label class="unseen" for="words">
          Your words
        </label>
        <Words adventureId={adventureId} typed={typed} />
        <button type="submit" class="main">
          Send
        </button>
      </div>
      <Modes typed={typed} />
    </form>
  )
}

/** Do, Say or Story. */
export function Modes({ typed }: { typed: Typed }): Markup {
  const mode = modeOf(typed)
  return (
    <fieldset class="modes">
      <legend class="unseen">How your words are meant</legend>
      {MODES.map(([type, name]) => (
        <label>
          <input type="radio" name="type" value={type} checked={type === mode} />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** The field itself. A script saves what stands in it as a draft, a moment after the last key. */
export function Words({ adventureId, typed }: { adventureId: number; typed: Typed }): Markup {
  return (
    <textarea
      id="words"
      name="text"
      rows="2"
      maxlength={String(2 * LIMITS.line)}
      placeholder={MODES.find(([type]) => type === modeOf(typed))?.[2]}
      hx-post={`/adventures/${adventureId}/draft`}
      hx-trigger="keep-draft"
      hx-include="#composer"
      hx-swap="none"
    >
      {`\n${typed.text}`}
    </textarea>
  )
}

function modeOf({ type }: Typed): string {
  return MODES.some(([known]) => known === type) ? type : 'do'
}

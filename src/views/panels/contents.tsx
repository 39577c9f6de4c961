import { snippetOf } from '../../domain/adventure.ts'
import type { Bookmark } from '../../domain/bookmark.ts'
import type { StoryLength } from '../ui/story-length.ts'
import { LIMITS } from '../../domain/limits.ts'
import { unmarked } from '../../domain/text/prose-markup.ts'
import { amount } from '../ui/format-number.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { placeOf } from '../play/action.tsx'
import { PanelHead } from './panel-head.tsx'

export interface ContentsProps {
  adventureId: number
  marks: readonly Bookmark[]
  passages: number
  length: StoryLength
  /** Id of the first action; null in an empty story. */
  first: number | null
}

/** How long a story is, and its marked passages. */
export function ContentsPanel({ adventureId, marks, passages, length, first }: ContentsProps): Markup {
  const { words, minutes, exact } = length
  const about = exact ? '' : 'About '
  return (
    <section class="contents" aria-label="Contents">
      <PanelHead adventureId={adventureId} name="contents">
        Contents
      </PanelHead>
      <p>
        {`${about}${amount(words)} words in ${passages === 1 ? 'one passage' : `${amount(passages)} passages`}: ${minutesInWords(minutes)} to read.`}
      </p>
      <p class="row">
        {first === null ? null : (
          <a href={placeOf({ id: first, adventure_id: adventureId })}>To the opening</a>
        )}
        <a href={`/adventures/${adventureId}#tools`}>To the newest passage</a>
      </p>
      <h3>Marked passages</h3>
      {marks.length === 0 ? (
        <p class="about">None yet. Choose Mark below a passage that you want to find again.</p>
      ) : (
        <ul class="memories">
          {marks.map(({ action_id, index, name, text }) => (
            <li>
              <a class="way" href={placeOf({ id: action_id, adventure_id: adventureId })}>
                {name === '' ? `Passage ${index}` : name}
              </a>
              <p class="snippet">{snippetOf(unmarked(text))}</p>
              <form class="row" method="post" action={`/adventures/${adventureId}/mark`}>
                <input type="hidden" name="action" value={String(action_id)} />
                <label>
                  <span class="unseen">{`Name of the mark at passage ${index}`}</span>
                  <input name="name" value={name} maxlength={String(LIMITS.name)} placeholder="A name" />
                </label>
                <button type="submit">Rename</button>
                <button type="submit" class="quiet" name="off" value="1">
                  Take the mark off
                </button>
              </form>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function minutesInWords(minutes: number): string {
  if (minutes < 90) return minutes === 1 ? 'a minute' : `${minutes} minutes`
  return `${Math.round(minutes / 60)} hours`
}

import { snippetOf } from '../../domain/adventure.ts'
import type { Bookmark } from '../../domain/bookmark.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { Chapter } from '../../domain/text/chapter.ts'
import { plainProse } from '../../domain/text/prose-markup.ts'
import { panelForm } from '../form-attributes.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { languageAttributes } from '../prose/prose.tsx'
import { countOf, formatNumber } from '../ui/format-number.ts'
import type { StoryLength } from '../ui/story-length.ts'
import { passageUrl, storyEndUrl, storyUrl } from '../urls.ts'
import { Panel } from './panel.tsx'

export interface ContentsProps {
  adventureId: number
  chapters: readonly Chapter[]
  bookmarks: readonly Bookmark[]
  passages: number
  length: StoryLength
  /** Id of the first action; null in an empty story. */
  first: number | null
  /** A BCP 47 tag. */
  language: string
}

export function ContentsPanel(props: ContentsProps): Markup {
  const { adventureId, chapters, bookmarks, passages, length, first, language } = props
  const { words, minutes, exact } = length
  const about = exact ? '' : 'About '
  return (
    <Panel adventureId={adventureId} name="contents" title="Contents" class="contents">
      <p>
        {`${about}${formatNumber(words)} words in ${countOf(passages, 'passage')}: ${minutesInWords(minutes)} to read.`}
      </p>
      <p class="row">
        {first === null ? null : (
          <a href={passageUrl({ id: first, adventure_id: adventureId })}>Go to the opening</a>
        )}
        <a href={storyEndUrl(adventureId)}>Go to the newest passage</a>
      </p>
      <h3>Chapters</h3>
      {chapters.length === 0 ? (
        <p class="about">
          No chapters yet. A passage begins one if its first line is a title such as “# The harbour”.
        </p>
      ) : (
        <ol>
          {chapters.map(({ action_id, name }) => (
            <li>
              <a
                class="way"
                {...languageAttributes(language)}
                href={passageUrl({ id: action_id, adventure_id: adventureId })}
              >
                {name}
              </a>
            </li>
          ))}
        </ol>
      )}
      <h3>Bookmarks</h3>
      {bookmarks.length === 0 ? (
        <p class="about">No bookmarks yet. Choose Bookmark at a passage to find it again here.</p>
      ) : (
        <ul class="memories">
          {bookmarks.map(({ action_id, index, name, text }) => (
            <li>
              <a class="way" href={passageUrl({ id: action_id, adventure_id: adventureId })}>
                {name === '' ? `Passage ${index}` : name}
              </a>
              <p class="snippet" {...languageAttributes(language)}>
                {snippetOf(plainProse(text, language))}
              </p>
              <details>
                <summary>
                  Rename or remove<span class="unseen">{` the bookmark at passage ${index}`}</span>
                </summary>
                <form class="row" {...panelForm(`${storyUrl(adventureId)}/bookmark`)}>
                  <input type="hidden" name="action" value={String(action_id)} />
                  <label>
                    <span class="unseen">{`Name of the bookmark at passage ${index}`}</span>
                    <input
                      name="name"
                      dir="auto"
                      translate="no"
                      value={name}
                      maxlength={String(LIMITS.name)}
                      placeholder="Name"
                    />
                  </label>
                  <button type="submit">Rename</button>
                  <button type="submit" class="quiet" name="off" value="1">
                    Remove
                  </button>
                </form>
              </details>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function minutesInWords(minutes: number): string {
  if (minutes < 90) return countOf(minutes, 'minute')
  return `${Math.round(minutes / 60)} hours`
}

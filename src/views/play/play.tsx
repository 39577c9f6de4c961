import type { LiveTurn } from '../../app/runtime/live-stories.ts'
import { Composer } from '../composer/composer.tsx'
import { FlashMessage } from '../flash.tsx'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { Notice, Page } from '../layout.tsx'
import { WorldStatePanel } from '../panels/world-state.tsx'
import { Select } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { PracticeNote } from '../ui/practice-note.tsx'
import { passageUrl, storyEndUrl, storyUrl } from '../urls.ts'
import type { PlayProps } from './page-props.ts'
import { Questions } from './questions.tsx'
import { Story } from './story.tsx'
import { StoryBar } from './story-bar.tsx'
import { storyStateId } from './story-state.ts'
import { OutcomeNotice } from './telling.tsx'
import { Status, Tools } from './turn-controls.tsx'

export function PlayPage(props: PlayProps): Markup {
  const {
    adventure,
    page,
    end,
    practice,
    turn,
    typed,
    suggested,
    notice,
    did = '',
    look,
    panel,
    asked,
  } = props
  const last = page.actions.at(-1)
  const isPlayed = end !== null && turn !== null
  return (
    <Page
      title={adventure.title}
      did={did}
      showsFlash
      place="/"
      refresh={isPlayed ? refreshSeconds(turn) : undefined}
      bar={
        <StoryBar
          adventure={adventure}
          language={look.language.language}
          panel={panel?.name}
          hasWorld={end !== null && end.world !== null}
        />
      }
      paintsAfter="said"
    >
      <div id="play" class="play">
        <div class="book">
          <div class="column">
            {end || panel ? null : <FlashMessage sentence={did} />}
            {end ? null : <Notice>{notice}</Notice>}
            {isPlayed ? <Running adventureId={adventure.id} /> : null}
            {practice ? <PracticeNote /> : null}
            <Story {...props} />
            {end ? <Questions adventureId={adventure.id} {...end} /> : null}
            {end && (page.has_more || page.actions.length > 1) ? (
              <div id="end" class={asked === undefined ? 'opens-here' : undefined} />
            ) : null}
            {end ? (
              <div class="desk">
                <button type="button" id="newer" class="pill" hidden>
                  <Icon sign="down" /> More below
                </button>
                <Listening />
                <Status turn={turn} did={panel ? '' : did} />
                <Composer
                  adventureId={adventure.id}
                  typed={typed}
                  checks={look.checks}
                  suggested={suggested}
                  notice={notice ?? <OutcomeNotice {...props} end={end} />}
                />
                <Tools adventureId={adventure.id} newest={last ?? null} />
              </div>
            ) : (
              <>
                <p class="row later">
                  {last === undefined ? null : <a href={passageUrl(last)}>Show later passages</a>}
                  <a href={storyEndUrl(adventure.id)}>Back to the newest passage</a>
                  <NewText adventureId={adventure.id} isShown={false} />
                </p>
                <Listening />
              </>
            )}
          </div>
          <Events adventureId={adventure.id} from={storyStateId(props)} until={end ? undefined : last?.id} />
          <div class="margin">
            <div id="panel">
              {panel ? <FlashMessage sentence={did} /> : null}
              {panel?.content}
            </div>
            {end?.world ? <WorldStatePanel {...end.world} /> : null}
          </div>
        </div>
        <div id="said" class="unseen" aria-live="polite" />
      </div>
    </Page>
  )
}

/** Shown on a page of earlier passages, once there is more. */
export function NewText({ adventureId, isShown }: { adventureId: number; isShown: boolean }): Markup {
  return (
    <a id="new-text" class="button main" href={storyEndUrl(adventureId)} hidden={!isShown}>
      New text
    </a>
  )
}

/** The stream of the story (`public/story/watch.js`), from the state of the page. */
function Events(shown: { adventureId: number; from: string; until: number | undefined }): Markup {
  const { adventureId, from, until } = shown
  const query = until === undefined ? `from=${from}` : `from=${from}&until=${until}`
  return (
    <div
      id="events"
      hidden
      hx-sse:connect={`${storyUrl(adventureId)}/events?${query}`}
      hx-sse:close="closed"
      hx-trigger="load, connect"
      hx-config='{"sse":{"reconnectDelay":300,"reconnectMaxDelay":3000,"connectTimeout":3000,"pauseOnBackground":false}}'
    />
  )
}

/** The first line of a page without script while a turn runs. */
function Running({ adventureId }: { adventureId: number }): Markup {
  return (
    <noscript>
      <p class="about">
        The narrator is writing. This page loads again until the reply is there.{' '}
        <a href={storyUrl(adventureId)}>Look again</a>
      </p>
    </noscript>
  )
}

/** Seconds after which a page without script loads again. */
function refreshSeconds({ status }: LiveTurn): number {
  return (status?.seconds ?? 0) < 20 ? 2 : 5
}

const SPEEDS = ['0.75', '1', '1.25', '1.5', '2'].map((speed) => [speed, `${speed}×`] as const)

/** Shown by a script while a story is read aloud (`public/story/listen.js`). */
function Listening(): Markup {
  return (
    <section id="listening" class="row" aria-label="Read aloud" hidden>
      <button type="button">Pause</button>
      <label class="row">
        <span>Speed</span>
        <Select options={SPEEDS} chosen="1" />
      </label>
      <button type="button" class="quiet">
        Stop reading
      </button>
    </section>
  )
}

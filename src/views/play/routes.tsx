import { branchesOf } from '../../app/adventure/branches.ts'
import { compareVariants } from '../../app/adventure/compare-variants.ts'
import { historyOf } from '../../app/adventure/history.ts'
import { openQuestions } from '../../app/adventure/questions.ts'
import type { App } from '../../app/app.ts'
import type { TurnEvent } from '../../app/runtime/turn-events.ts'
import { findAdventure } from '../../db/tables/adventures.ts'
import { getReaderPreferences } from '../../db/tables/preferences.ts'
import { getSettings } from '../../db/tables/settings.ts'
import { type Draft, findSent } from '../../db/tables/waiting-lines.ts'
import type { ComposerType } from '../../domain/action.ts'
import { StoryError } from '../../domain/errors.ts'
import { LIMITS } from '../../domain/limits.ts'
import { PAGE_HEARTBEAT, StreamLimit, streamResponse } from '../../http/stream.ts'
import { hashOf } from '../../lib/hash.ts'
import { cutTo, isBlank, lengthOf } from '../../lib/text.ts'
import { attemptFrom } from '../checks/try-select.tsx'
import { Steering } from '../composer/composer.tsx'
import { NotFoundPage } from '../error-pages.tsx'
import { ExportPanel } from '../export/export-forms.tsx'
import { flashFrom } from '../flash.tsx'
import { formRoutes } from '../form-routes.ts'
import { HistoryPanel } from '../insights/history.tsx'
import { InsightsPanel } from '../insights/insights.tsx'
import { promptOf } from '../insights/routes.tsx'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { ContentsPanel } from '../panels/contents.tsx'
import { Plot } from '../panels/plot.tsx'
import { SearchPanel } from '../panels/search.tsx'
import { VariantsPanel } from '../panels/variants.tsx'
import { ReadingPanel } from '../reading/reading-fields.tsx'
import {
  type FormFields,
  formResponse,
  htmlResponse,
  idFrom,
  isFragment,
  pageOrNotFound,
  pageResponse,
  seeOther,
} from '../respond.tsx'
import { searchProps } from '../search/search-props.ts'
import { fragment } from '../ui/fragment.tsx'
import { answersIn, blankAnswers, sentAnswers } from '../ui/placeholder-fields.ts'
import { PANELS, type PanelName, passageUrl, storyEndUrl, storyUrl } from '../urls.ts'
import type { PassageForm, PlayProps } from './page-props.ts'
import { type ChosenRewrite, chosenIn, chosenQuery, chosenSpans } from './passage/rewrite-form.tsx'
import { PlayPage } from './play.tsx'
import {
  aroundProps,
  contentsProps,
  earlierProps,
  editingProps,
  memoryPanel,
  newestView,
  openedProps,
  playProps,
  plotProps,
  storyLanguage,
} from './play-props.ts'
import {
  actedResponse,
  assertNewest,
  atStory,
  passageResponse,
  suggestionsResponse,
  undoneResponse,
} from './story-response.tsx'
import { watchStory } from './story-stream.tsx'

type Query = Record<string, string | undefined>

/** Plain forms are answered with pages, htmx gets fragments. */
export const playRoutes = (app: App, streams = new StreamLimit()) =>
  formRoutes('/adventures/:id')
    .get('', async ({ id, query, request }) => {
      const { edit, rewrite, at } = query
      const wanted = edit ?? rewrite ?? at
      if (wanted !== undefined && isFragment(request)) {
        const form = edit !== undefined ? 'edit' : rewrite !== undefined ? 'rewrite' : undefined
        return atStory(app, id, request, () => passageResponse(app, id, idFrom(wanted), { form }))
      }
      if (query.panel === 'insights') await app.prepareNextPrompt(id)
      return pageOrNotFound(() => {
        const props = propsFor(app, id, query)
        app.live.waitForPage(id)
        // While it is read, the next turn is prepared.
        if (!isFragment(request)) app.idle.wake(props.adventure.id)
        return <PlayPage {...props} did={flashFrom(query)} />
      })
    })
    .get('/events', ({ id, query, request, server }) => {
      const { headers } = request
      if (!headers.get('accept')?.includes('text/event-stream'))
        return pageResponse(<NotFoundPage sentence="This address is for the program’s own pages." />)
      if (findAdventure(app.reader, id) === null) return new Response(null, { status: 404 })
      const from = headers.get('last-event-id') ?? query.from ?? ''
      const address = server?.requestIP(request)?.address ?? ''
      const watch = (signal: AbortSignal) => watchStory(app, id, { from, until: query.until }, signal)
      return streamResponse(request, (left) => streams.limited(address, left, watch), PAGE_HEARTBEAT)
    })
    .post('/turns', ({ id, fields, request }) => {
      const { retry, again, steering = '' } = fields
      const typed = { type: turnType(fields.type), text: fields.text ?? '', steering }
      const rewriting = fields.rewrite === undefined ? undefined : chosenIn(fields)
      const retries = retry !== undefined || again !== undefined || rewriting !== undefined
      const begin = () => {
        const disconnect = 1_000 * getSettings(app.reader).read_timeout_seconds
        if (rewriting)
          return app.rewriteParts(id, rewriteOf(app, id, rewriting, fields.rewritten), disconnect)
        if (again !== undefined) return app.rerollTurn(id, disconnect)
        if (retries) return app.retryTurn(id, { repeatsSteering: retry !== 'unsteered' }, disconnect)
        const type = fields.go_on ? 'continue' : typed.type
        const attempt = attemptFrom(fields.attempt)
        return app.playTurn(id, { type, text: typed.text, keep: true, form, ...attempt }, disconnect)
      }
      const isLine = !retries && !fields.go_on && !isBlank(typed.text)
      const form =
        fields.newest === undefined ? '' : hashOf(JSON.stringify([fields.newest, typed.type, typed.text]))
      return formResponse(
        request,
        async () => {
          // Pressed twice.
          if (!isLine && fields.newest !== undefined && app.live.find(id)) return turnBegun(request, id)
          const isSentAgain = isLine && form !== '' && form === findSent(app.reader, id)
          if (!isSentAgain) assertNewest(app, id, fields)
          if (!isSentAgain || isUnanswered(app, id)) {
            requireLength(typed.text, LIMITS.line, 'A turn', 'Shorten your text, or send it as two turns.')
            requireLength(steering, LIMITS.steering, 'A note to the narrator', 'Shorten it.')
            // Stored first, so that nothing is lost if the turn is refused.
            await app.saveDraft(id, draftIn(fields))
            const events = begin()
            if (isLine && !(await isStored(events))) return turnBegun(request, id)
            void events.cancel()
          }
          if (isFragment(request) || !rewriting)
            return turnBegun(request, id, isLine ? { 'HX-Trigger': 'turn-stored' } : {})
          // If it fails, the page shows again what was chosen.
          return seeOther(request, `${storyUrl(id)}?${chosenQuery(fields)}`)
        },
        (notice) =>
          PlayPage({
            ...playProps(app, id),
            notice,
            typed,
            form: rewriting && { kind: 'rewrite', chosen: rewriting },
          }),
      )
    })
    .post('/suggestions', ({ id, fields, query, request }) =>
      suggestionsResponse(app, id, request, { ...query, ...fields }),
    )
    .post('/stop', ({ id, request }) =>
      atStory(app, id, request, async () => {
        app.stopTurn(id)
        await app.locks.freed(id)
        return actedResponse(app, id, request)
      }),
    )
    .post('/record', ({ id, request }) =>
      atStory(app, id, request, () => {
        void app.recordAgain(id).cancel()
        return actedResponse(app, id, request)
      }),
    )
    .post('/undo', ({ id, fields, request }) =>
      atStory(app, id, request, () => {
        assertNewest(app, id, fields)
        const newest = newestView(app, id)
        return undoneResponse(app, id, request, app.undoTurn(id), newest?.id ?? 0)
      }),
    )
    .post('/keep', ({ id, fields, request }) =>
      atStory(app, id, request, () => {
        assertNewest(app, id, fields)
        app.keepInterrupted(id)
        // Its note is used.
        return actedResponse(
          app,
          id,
          request,
          'kept',
          fragment('#steer', 'outerHTML', <Steering steering="" />),
        )
      }),
    )
    .post('/discard', ({ id, fields, request }) =>
      atStory(app, id, request, () => {
        assertNewest(app, id, fields)
        app.discardInterrupted(id)
        return actedResponse(app, id, request, 'discarded')
      }),
    )
    .post('/variant', ({ id, fields, request }) =>
      atStory(app, id, request, () => {
        app.switchVariant(id, idFrom(fields.action), idFrom(fields.index))
        // Empties the notice, or the panel that compared them.
        return isFragment(request) ? htmlResponse('') : seeOther(request, storyEndUrl(id), 'switched')
      }),
    )
    .post('/edit', ({ id, fields, request }) => {
      const { action = '', text = '', variant_index, hidden } = fields
      const editing = { id: idFrom(action), text }
      return formResponse(
        request,
        () => {
          requireLength(text, LIMITS.line, 'A passage', 'Shorten it.')
          const seen = variant_index === undefined ? {} : { variant_index: idFrom(variant_index) }
          const edited = app.editAction(id, editing.id, { text, hidden: hidden !== undefined, ...seen })
          return isFragment(request)
            ? passageResponse(app, id, edited.id, { did: 'saved' })
            : seeOther(request, passageUrl(edited), 'saved')
        },
        (notice) => PlayPage({ ...editingProps(app, id, editing), notice }),
      )
    })
    .post('/questions', ({ id, fields, request }) =>
      formResponse(
        request,
        () => {
          const given = sentAnswers(fields, openQuestions(app.reader, id))
          app.answerQuestions(id, fields.skip === undefined ? given : blankAnswers(given))
          return actedResponse(app, id, request, 'saved')
        },
        (notice) => {
          const props = playProps(app, id)
          return PlayPage({ ...props, notice, end: { ...props.end, typedAnswers: answersIn(fields) } })
        },
      ),
    )
    .post('/draft', ({ id, fields, request }) =>
      atStory(app, id, request, async () => {
        await app.saveDraft(id, draftIn(fields))
        return new Response(null, { status: 204 })
      }),
    )
    .post('/copy', ({ id, request }) =>
      atStory(app, id, request, async () =>
        seeOther(request, storyEndUrl(await app.copyAdventure(id)), 'duplicated'),
      ),
    )

/** A page without script loads again at an address without a fragment. */
function turnBegun(request: Request, id: number, headers: Record<string, string> = {}): Response {
  if (isFragment(request)) return new Response(null, { status: 204, headers })
  return seeOther(request, storyUrl(id))
}

/** True once the line of a turn is stored; then the text box can be emptied. */
async function isStored(events: ReadableStream<TurnEvent>): Promise<boolean> {
  for await (const { type } of events) if (type === 'player' || type === 'error') return type === 'player'
  return false
}

function isUnanswered(app: App, id: number): boolean {
  return app.live.find(id) === null && newestView(app, id)?.waiting === true
}

function draftIn({ type, text, steering }: FormFields): Partial<Draft> {
  return {
    ...(text !== undefined && { type: turnType(type), text: cutTo(text, LIMITS.line) }),
    ...(steering !== undefined && { steering: cutTo(steering, LIMITS.steering) }),
  }
}

function rewriteOf(app: App, id: number, chosen: ChosenRewrite, hash = '') {
  requireLength(chosen.how, LIMITS.steering, 'A note to the narrator', 'Shorten it.')
  const text = newestView(app, id)?.text ?? ''
  return { spans: chosenSpans(text, chosen), hash, how: chosen.how }
}

/** Throws invalid. */
function requireLength(text: string, limit: number, what: string, advice: string): void {
  if (lengthOf(text) > limit)
    throw new StoryError('invalid', `${what} can have up to ${limit} characters. ${advice}`)
}

function turnType(type = ''): ComposerType {
  return type === 'say' || type === 'story' || type === 'try' ? type : 'do'
}

function propsFor(app: App, id: number, query: Query): PlayProps {
  const { at, before, edit, rewrite, panel, world } = query
  if (before !== undefined) return earlierProps(app, id, idFrom(before))
  if (at !== undefined) return aroundProps(app, id, idFrom(at))
  if (edit !== undefined) return editingProps(app, id, { id: idFrom(edit) })
  if (rewrite !== undefined) return { ...playProps(app, id), form: rewriteForm(app, id, query) }
  const name = PANELS.find((one) => one === panel)
  const props = openedProps(app, id)
  if (world === 'edit' && props.end.world)
    return { ...props, end: { ...props.end, world: { ...props.end.world, editing: true } } }
  if (name === undefined) return props
  return { ...props, panel: { name, content: PANEL_CONTENTS[name](app, id, query) } }
}

const PANEL_CONTENTS: Record<PanelName, (app: App, id: number, query: Query) => Markup> = {
  memory: memoryPanel,
  plot: (app, id) => <Plot {...plotProps(app, id)} />,
  contents: (app, id) => <ContentsPanel {...contentsProps(app, id)} />,
  history: (app, id, { until }) => {
    const history = historyOf(app.reader, id, until === undefined ? undefined : idFrom(until))
    return <HistoryPanel adventureId={id} {...history} />
  },
  reading: (app, id) => <ReadingPanel adventureId={id} reading={getReaderPreferences(app.reader)} />,
  insights: (app, id) => <InsightsPanel adventureId={id} prompt={promptOf(app, id, 0)} />,
  search: (app, id, query) => (
    <SearchPanel adventureId={id} {...searchProps(app, { ...query, adventure: String(id) })} />
  ),
  export: (app, id) => <ExportPanel adventureId={id} hasBranches={branchesOf(app.reader, id).length > 1} />,
  attempts: variantsPanel,
}

/** Undefined unless the newest narration was asked for. */
function rewriteForm(app: App, id: number, { rewrite, ...query }: Query): PassageForm | undefined {
  const newest = newestView(app, id)
  const wasSent = query.how !== undefined && !app.live.outcomeOf(id)?.error
  if (newest?.type !== 'ai' || newest.id !== idFrom(rewrite) || wasSent) return undefined
  return { kind: 'rewrite', chosen: chosenIn(query) }
}

function variantsPanel(app: App, adventureId: number, { action, one, other }: Query): Markup {
  const number = (text: string | undefined) => (text === undefined ? undefined : idFrom(text))
  const wanted = { one: number(one), other: number(other) }
  const compared = compareVariants(app.reader, adventureId, idFrom(action), wanted)
  return (
    <VariantsPanel
      adventureId={adventureId}
      now={app.now()}
      language={storyLanguage(app, adventureId)}
      {...compared}
    />
  )
}

import { branchesOf } from '../../app/adventure/branches.ts'
import { compareVariants } from '../../app/adventure/compare-variants.ts'
import { historyOf } from '../../app/adventure/history.ts'
import { openQuestions } from '../../app/adventure/questions.ts'
import type { App } from '../../app/app.ts'
import type { TurnEvents } from '../../app/runtime/turn-events.ts'
import type { UndoneTurn } from '../../app/turn/undo-turn.ts'
import { getReaderPreferences } from '../../db/tables/preferences.ts'
import type { ComposerType } from '../../domain/action.ts'
import { StoryError } from '../../domain/errors.ts'
import { LIMITS } from '../../domain/limits.ts'
import { cutTo, lengthOf } from '../../lib/text.ts'
import { attemptFrom } from '../checks/try-select.tsx'
import { ExportPanel } from '../export/export-forms.tsx'
import { type Flash, flashFrom } from '../flash.tsx'
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
import { formResponse, htmlResponse, idFrom, isFragment, pageOrNotFound, seeOther } from '../respond.tsx'
import { searchProps } from '../search/search-props.ts'
import { fragment } from '../ui/fragment.tsx'
import { answersIn, blankAnswers, sentAnswers } from '../ui/placeholder-fields.ts'
import { PANELS, type PanelName, passageUrl, storyEndUrl } from '../urls.ts'
import type { PassageForm, PlayProps } from './page-props.ts'
import { Action } from './passage/action.tsx'
import { type ChosenRewrite, chosenIn, chosenSpans, NOTHING_CHOSEN } from './passage/rewrite-form.tsx'
import { PlayPage } from './play.tsx'
import {
  aroundProps,
  contentsProps,
  earlierProps,
  editingProps,
  memoryProps,
  newestView,
  openedProps,
  playProps,
  plotProps,
  storyLanguage,
  storyLook,
  worldProps,
} from './play-props.ts'
import {
  answeredResponse,
  atStory,
  editedResponse,
  FEW_UNDONE,
  interruptedResponse,
  passageResponse,
  recordedResponse,
  recordingResponse,
  staleResponse,
  suggestionsResponse,
  undoneResponse,
} from './story-response.tsx'
import { turnResponse } from './turn-response.tsx'
import { worldFragment } from './turn-stream.tsx'

type Query = Record<string, string | undefined>

/** A story's page, and the forms with which it is played: plain forms answer with pages, htmx gets fragments. */
export const playRoutes = (app: App) =>
  formRoutes('/adventures/:id')
    .get('', async ({ id, query, request }) => {
      const { recorded, edit, rewrite, at } = query
      if (recorded !== undefined && isFragment(request)) return recordedResponse(app, id)
      const wanted = edit ?? rewrite ?? at
      if (wanted !== undefined && isFragment(request)) {
        const form = edit !== undefined ? 'edit' : rewrite !== undefined ? 'rewrite' : undefined
        return atStory(app, id, request, () => passageResponse(app, id, idFrom(wanted), form))
      }
      if (query.panel === 'insights') await app.prepareNextPrompt(id)
      return pageOrNotFound(() => {
        const props = propsFor(app, id, query)
        // While it is read, the next turn is prepared.
        if (!isFragment(request)) app.idle.wake(props.adventure.id)
        return <PlayPage {...props} did={flashFrom(query)} />
      })
    })
    .post('/turns', ({ id, fields, request }) => {
      const { retry, again, steering = '' } = fields
      const typed = { type: turnType(fields.type), text: fields.text ?? '', steering }
      const rewriting = fields.rewrite === undefined ? undefined : chosenIn(fields)
      const retries = retry !== undefined || again !== undefined || rewriting !== undefined
      const prepare = async () => {
        requireLength(typed.text, LIMITS.line, 'A turn', 'Shorten your text, or send it as two turns.')
        requireLength(steering, LIMITS.steering, 'A note to the narrator', 'Shorten it.')
        // Stored first, so that nothing is lost if the turn is refused.
        if (fields.text !== undefined) await app.saveDraft(id, typed)
        if (fields.steering !== undefined) await app.saveSteering(id, steering)
      }
      return turnResponse(app, { id, request, fields, typed, retries, rewriting }, prepare, (hangUp) => {
        if (rewriting) return rewriteTurn(app, id, rewriting, fields.rewritten, hangUp)
        if (again !== undefined) return app.rerollTurn(id, hangUp)
        if (retries) return app.retryTurn(id, { repeatsSteering: retry !== 'unsteered' }, hangUp)
        const type = fields.go_on ? 'continue' : typed.type
        const attempt = attemptFrom(fields.attempt)
        return app.playTurn(id, { type, text: typed.text, keep: true, ...attempt }, hangUp)
      })
    })
    .post('/suggestions', ({ id, fields, query, request }) =>
      suggestionsResponse(app, id, request, { ...query, ...fields }),
    )
    .post('/stop', ({ id, request }) =>
      atStory(app, id, request, async () => {
        app.stopTurn(id)
        await app.locks.freed(id)
        return isFragment(request) ? new Response(null, { status: 204 }) : seeOther(request, storyEndUrl(id))
      }),
    )
    .post('/record', ({ id, request }) =>
      atStory(app, id, request, () => {
        app.recordAgain(id)
        return isFragment(request) ? recordingResponse(app, id) : seeOther(request, storyEndUrl(id))
      }),
    )
    .post('/undo', ({ id, fields, request }) =>
      atStory(app, id, request, () => {
        const stale = staleResponse(app, id, request, fields)
        if (stale) return stale
        const versions = newestView(app, id)?.variant_count ?? 0
        const undone = app.undoTurn(id)
        return isFragment(request)
          ? undoneResponse(app, id, undone, versions)
          : seeOther(request, storyEndUrl(id), undoneFlash(undone))
      }),
    )
    .post('/keep', ({ id, fields, request }) =>
      atStory(app, id, request, () =>
        interruptedResponse(app, id, request, fields, { run: app.keepInterrupted, did: 'kept' }),
      ),
    )
    .post('/discard', ({ id, fields, request }) =>
      atStory(app, id, request, () => {
        const discard = { run: app.discardInterrupted, did: 'discarded' } as const
        return interruptedResponse(app, id, request, fields, discard)
      }),
    )
    .post('/variant', ({ id, fields, request }) =>
      atStory(app, id, request, () => {
        const { action, index, compared } = fields
        const switched = app.switchVariant(id, idFrom(action), idFrom(index))
        return isFragment(request)
          ? htmlResponse(
              fragment(
                `#action-${switched.id}`,
                'outerHTML',
                <Action action={switched} look={storyLook(app, id)} newest />,
              ) +
                worldFragment(worldProps(app, id)) +
                (compared === undefined ? '' : fragment('#panel', 'innerHTML', null)),
            )
          : seeOther(request, storyEndUrl(id), 'switched')
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
            ? editedResponse(app, id, edited)
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
          return isFragment(request) ? answeredResponse(app, id) : seeOther(request, storyEndUrl(id), 'saved')
        },
        (notice) => {
          const props = playProps(app, id)
          return PlayPage({ ...props, notice, end: { ...props.end, typedAnswers: answersIn(fields) } })
        },
      ),
    )
    .post('/draft', ({ id, fields, request }) =>
      atStory(app, id, request, async () => {
        const { type, text = '', steering } = fields
        await app.saveDraft(id, { type: turnType(type), text: cutTo(text, LIMITS.line) })
        if (steering !== undefined) await app.saveSteering(id, cutTo(steering, LIMITS.steering))
        return new Response(null, { status: 204 })
      }),
    )
    .post('/copy', ({ id, request }) =>
      atStory(app, id, request, async () =>
        seeOther(request, storyEndUrl(await app.copyAdventure(id)), 'duplicated'),
      ),
    )

function undoneFlash({ in_a_row, typed }: UndoneTurn): Flash {
  if (in_a_row >= FEW_UNDONE) return 'undoneOften'
  return typed?.text ? 'undone' : 'undoneReply'
}

function rewriteTurn(
  app: App,
  id: number,
  chosen: ChosenRewrite,
  hash = '',
  hangUp: AbortSignal,
): TurnEvents {
  requireLength(chosen.how, LIMITS.steering, 'A note to the narrator', 'Shorten it.')
  const text = newestView(app, id)?.text ?? ''
  return app.rewriteParts(id, { spans: chosenSpans(text, chosen), hash, how: chosen.how }, hangUp)
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
  if (rewrite !== undefined) return { ...playProps(app, id), form: rewriteForm(app, id, rewrite) }
  if (panel === 'memory') return memoryProps(app, id)
  const name = PANELS.find((one) => one === panel)
  const props = openedProps(app, id)
  if (world === 'edit' && props.end.world)
    return { ...props, end: { ...props.end, world: { ...props.end.world, editing: true } } }
  if (name === undefined || name === 'memory') return props
  return { ...props, panel: { name, content: PANEL_CONTENTS[name](app, id, query) } }
}

/** The panels beside a story by name, except for the memory panel, which the forms of that panel show too. */
const PANEL_CONTENTS: Record<Exclude<PanelName, 'memory'>, (app: App, id: number, query: Query) => Markup> = {
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

/** The form to rewrite the newest narration, if that is the one that was asked for. */
function rewriteForm(app: App, id: number, asked: string): PassageForm | undefined {
  const newest = newestView(app, id)
  return newest?.type === 'ai' && newest.id === idFrom(asked)
    ? { kind: 'rewrite', chosen: NOTHING_CHOSEN }
    : undefined
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

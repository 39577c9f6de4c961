import { Elysia } from 'elysia'
import { comparedAttempts } from '../app/adventure/compare-attempts.ts'
import { type Context, nextContext, pastContext } from '../app/context.ts'
import type { Deps } from '../app/deps.ts'
import { insightsOf, rawReply } from '../app/insights.ts'
import { getAdventure, listAdventures } from '../db/tables/adventures.ts'
import { getReading } from '../db/preferences.ts'
import { listScenarios } from '../db/tables/scenarios.ts'
import { cardViewFrom } from './cards/card-filter.ts'
import { StoryError } from '../domain/errors.ts'
import { libraryViewFrom } from './library/library-filter.ts'
import { idFrom, pageAnswer, pageOrNothing, seeOther } from './respond.tsx'
import { sentenceFor } from './did.tsx'
import { InsightsPage, InsightsPanel, type InsightsProps } from './insights/insights.tsx'
import { AdventuresPage, LibraryPage, NothingPage, ScenariosPage } from './library/library.tsx'
import { libraryProps, scenarioProps } from './library/library-props.ts'
import { AttemptsPanel } from './panels/attempts.tsx'
import { ContentsPanel } from './panels/contents.tsx'
import { Plot } from './panels/plot.tsx'
import { PANELS, PlayPage, type PlayProps } from './play/play.tsx'
import {
  aroundProps,
  contentsProps,
  earlierProps,
  editingProps,
  memoryProps,
  openedProps,
  plotProps,
  showingProps,
} from './play/play-props.ts'
import { ReadingPanel } from './reading/reading-fields.tsx'
import { type OpenPart, ScenarioPage } from './scenario/scenario.tsx'
import { SearchPage } from './search/search.tsx'
import { searchProps } from './search/search-props.ts'
import { SettingsPage } from './settings/settings.tsx'
import { settingsProps } from './settings/settings-forms.tsx'

type Query = Record<string, string | undefined>

/** The web face: every GET that is not the API's (specification 4, "catch-all"). */
export const pages = (deps: Deps) =>
  new Elysia({ name: 'pages', detail: { hide: true } })
    .get('/', ({ query }) => pageAnswer(<LibraryPage {...libraryProps(deps)} did={sentenceFor(query)} />))
    .get('/scenarios', ({ query }) =>
      pageAnswer(
        <ScenariosPage
          scenarios={listScenarios(deps.library.reader)}
          view={libraryViewFrom(query)}
          did={sentenceFor(query)}
        />,
      ),
    )
    .get('/scenarios/:id', ({ params, query }) =>
      pageOrNothing(() => (
        <ScenarioPage
          {...scenarioProps(deps, idFrom(params.id))}
          open={openPart(query)}
          view={cardViewFrom(query)}
          did={sentenceFor(query)}
        />
      )),
    )
    .get('/scenarios/:id/:deed', ({ params, request, path }) =>
      SCENARIO_DEEDS.has(params.deed) ? seeOther(request, `/scenarios/${idFrom(params.id)}`) : nothing(path),
    )
    .get('/adventures', ({ query }) =>
      pageAnswer(
        <AdventuresPage
          adventures={listAdventures(deps.library.reader)}
          now={deps.now()}
          view={libraryViewFrom(query)}
          did={sentenceFor(query)}
        />,
      ),
    )
    .get('/adventures/:id', ({ params, query }) =>
      pageOrNothing(() => (
        <PlayPage {...propsFor(deps, idFrom(params.id), query)} did={sentenceFor(query)} />
      )),
    )
    .get('/adventures/:id/insights', ({ params, query }) =>
      pageOrNothing(() => <InsightsPage {...insightsProps(deps, idFrom(params.id), idFrom(query.turn))} />),
    )
    // A browser that loads a turn's own page again comes back to its story.
    .get('/adventures/:id/:deed', ({ params, request, path }) =>
      DEEDS.has(params.deed) ? seeOther(request, `/adventures/${idFrom(params.id)}#tools`) : nothing(path),
    )
    .get('/search', ({ query }) => pageAnswer(<SearchPage {...searchProps(deps, query)} />))
    .get('/settings', ({ query }) =>
      pageAnswer(<SettingsPage {...settingsProps(deps)} did={sentenceFor(query)} />),
    )
    .get('/*', ({ path }) => nothing(path))

const PARTS: OpenPart[] = ['texts', 'cover', 'questions', 'stats', 'cards']

function openPart({ open, stats }: Query): OpenPart {
  if (stats !== undefined) return 'stats'
  return PARTS.find((part) => part === open) ?? ''
}

const SCENARIO_DEEDS = new Set(['cover', 'preview', 'duplicate', 'delete', 'stats'])

const DEEDS = new Set([
  'turns',
  'retry',
  'stop',
  'undo',
  'variant',
  'edit',
  'draft',
  'world',
  'memories',
  'answers',
  'copy',
  'shelf',
  'mark',
  'delete',
])

function nothing(path: string): Response {
  return pageAnswer(<NothingPage sentence={`There is no page at ${path.slice(0, 200)}.`} />)
}

function propsFor(deps: Deps, id: number, query: Query): PlayProps {
  const { at, before, edit, show, panel, world } = query
  if (before !== undefined) return earlierProps(deps, id, idFrom(before))
  if (at !== undefined) return aroundProps(deps, id, idFrom(at))
  if (edit !== undefined) return editingProps(deps, id, { id: idFrom(edit) })
  if (show !== undefined) return showingProps(deps, id, idFrom(show))
  if (panel === 'memory') return memoryProps(deps, id)
  const props = { ...openedProps(deps, id), panelName: PANELS.find((name) => name === panel) }
  if (world === 'edit' && props.world) return { ...props, world: { ...props.world, editing: true } }
  if (panel === 'plot') return { ...props, panel: <Plot {...plotProps(deps, id)} /> }
  if (panel === 'reading')
    return { ...props, panel: <ReadingPanel adventureId={id} reading={getReading(deps.library.reader)} /> }
  if (panel === 'insights')
    return { ...props, panel: <InsightsPanel adventureId={id} prompt={promptOf(deps, id, 0)} /> }
  if (panel === 'contents') return { ...props, panel: <ContentsPanel {...contentsProps(deps, id)} /> }
  if (panel === 'attempts') return { ...props, panel: <AttemptsPanel {...attemptsProps(deps, id, query)} /> }
  return props
}

function attemptsProps(deps: Deps, adventureId: number, { action, one, other }: Query) {
  const number = (text: string | undefined) => (text === undefined ? undefined : idFrom(text))
  const wanted = { one: number(one), other: number(other) }
  const compared = comparedAttempts(deps.library.reader, adventureId, idFrom(action), wanted)
  return { adventureId, now: deps.now(), ...compared }
}

/** The prompt of a turn, or the one that the next turn would send; null where none can be laid out or was kept. */
function promptOf(deps: Deps, adventureId: number, turn: number): Context | null {
  try {
    return turn === 0 ? nextContext(deps, adventureId) : pastContext(deps, adventureId, turn)
  } catch (error) {
    if (error instanceof StoryError) return null
    throw error
  }
}

function insightsProps(deps: Deps, adventureId: number, turn: number): InsightsProps {
  const { reader } = deps.library
  return {
    adventureId,
    title: getAdventure(reader, adventureId).title,
    insights: insightsOf(reader, adventureId),
    close: turn === 0 ? undefined : { actionId: turn, raw: rawReply(reader, adventureId, turn) },
    prompt: promptOf(deps, adventureId, turn),
  }
}

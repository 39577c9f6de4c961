import type { App } from '../../app/app.ts'
import { listAdventures } from '../../db/tables/adventure-list.ts'
import type { AdventureListItem } from '../../domain/adventure.ts'
import { flashFrom } from '../flash.tsx'
import { formRoutes } from '../form-routes.ts'
import { formResponse, idFrom, pageResponse, refererPath, seeOther } from '../respond.tsx'
import { ScenarioPage } from '../scenario/scenario.tsx'
import { scenarioProps } from '../scenario/scenario-props.ts'
import { allAnswers } from '../ui/placeholder-fields.ts'
import { storyEndUrl, storyUrl } from '../urls.ts'
import { AdventuresPage } from './adventures.tsx'
import { DeleteStoriesPage } from './delete-stories.tsx'
import { LibraryPage } from './library.tsx'
import { libraryFilterFrom } from './library-filter.ts'
import { libraryProps } from './library-props.ts'
import { shelfFrom, storiesIn, UndoMove, withUndo } from './moved-stories.tsx'

export const libraryRoutes = (app: App) =>
  formRoutes('')
    .get('/', ({ query }) =>
      pageResponse(
        <LibraryPage {...libraryProps(app)} did={flashFrom(query)} undo={<UndoMove query={query} />} />,
      ),
    )
    .get('/adventures', ({ query }) =>
      pageResponse(
        <AdventuresPage
          adventures={listAdventures(app.reader)}
          now={app.now()}
          filter={libraryFilterFrom(query)}
          did={flashFrom(query)}
          undo={<UndoMove query={query} />}
        />,
      ),
    )
    .post('/adventures', ({ fields, request }) => {
      const scenarioId = idFrom(fields.scenario_id)
      return formResponse(
        request,
        () => {
          if (fields.scenario_id === undefined)
            return seeOther(request, storyEndUrl(app.createAdventure({ title: 'Untitled story' })))
          const placeholders = allAnswers(
            fields,
            scenarioProps(app, scenarioId).placeholders.map(({ name }) => name),
          )
          return seeOther(
            request,
            storyEndUrl(
              app.createAdventure({
                scenario_id: scenarioId,
                placeholders,
                greeting: idFrom(fields.greeting),
              }),
            ),
          )
        },
        (notice) =>
          scenarioId ? (
            <ScenarioPage {...scenarioProps(app, scenarioId)} notice={notice} typed={fields} />
          ) : (
            <LibraryPage {...libraryProps(app)} />
          ),
      )
    })
    .post('/adventures/:id/shelf', ({ id, fields, request }) =>
      formResponse(
        request,
        () => {
          const put = shelfFrom(fields.shelf) ?? 'open'
          const from = refererPath(request, '/adventures')
          // From the story's own page one goes to the library.
          const list = new URL(from, request.url).pathname === storyUrl(id) ? '/adventures' : from
          const back = withUndo(`${list}#story-${id}`, storiesOf(app, [id]))
          app.shelveAdventures([id], put)
          return seeOther(request, back, put)
        },
        (notice) => <LibraryPage {...libraryProps(app)} notice={notice} />,
      ),
    )
    .post('/adventures/selected', ({ fields, request }) => {
      const stories = storiesIn(fields)
      const ids = stories.map(({ id }) => id)
      const back = refererPath(request, '/adventures')
      return formResponse(
        request,
        async () => {
          if (fields.do === 'delete' && fields.confirmed === undefined)
            return pageResponse(<DeleteStoriesPage stories={storiesOf(app, ids)} />)
          if (fields.do === 'delete') {
            app.removeAdventures(ids)
            return seeOther(request, '/adventures', 'deleted')
          }
          if (fields.do === 'undo') {
            for (const { id, shelf } of stories) app.shelveAdventures([id], shelf)
            return seeOther(request, withUndo(back, []), 'putBack')
          }
          const shelf = shelfFrom(fields.do) ?? 'open'
          const undoable = withUndo(back, storiesOf(app, ids))
          app.shelveAdventures(ids, shelf)
          return seeOther(request, undoable, ids.length > 0 ? shelf : undefined)
        },
        (notice) => <LibraryPage {...libraryProps(app)} notice={notice} />,
      )
    })

function storiesOf(app: App, ids: readonly number[]): AdventureListItem[] {
  return listAdventures(app.reader).filter(({ id }) => ids.includes(id))
}

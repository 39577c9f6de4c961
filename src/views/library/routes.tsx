import type { App } from '../../app/app.ts'
import { listAdventures } from '../../db/tables/adventure-list.ts'
import { type AdventureListItem, SHELVES } from '../../domain/adventure.ts'
import { formRoutes } from '../../http/form.ts'
import { flashFrom } from '../flash.tsx'
import {
  type FormFields,
  fieldsOf,
  formResponse,
  idFrom,
  pageResponse,
  refererPath,
  seeOther,
} from '../respond.tsx'
import { ScenarioPage } from '../scenario/scenario.tsx'
import { scenarioProps } from '../scenario/scenario-props.ts'
import { allAnswers } from '../ui/placeholder-fields.ts'
import { storyEndUrl, storyUrl } from '../urls.ts'
import { AdventuresPage } from './adventures.tsx'
import { DeleteStoriesPage } from './delete-stories.tsx'
import { LibraryPage } from './library.tsx'
import { libraryFilterFrom } from './library-filter.ts'
import { libraryProps } from './library-props.ts'

/** The library and the list of stories, with what starts and shelves one. */
export const libraryRoutes = (app: App) =>
  formRoutes('')
    .get('/', ({ query }) => pageResponse(<LibraryPage {...libraryProps(app)} did={flashFrom(query)} />))
    .get('/adventures', ({ query }) =>
      pageResponse(
        <AdventuresPage
          adventures={listAdventures(app.reader)}
          now={app.now()}
          filter={libraryFilterFrom(query)}
          did={flashFrom(query)}
        />,
      ),
    )
    .post('/adventures', ({ body, request }) => {
      const fields = fieldsOf(body)
      const scenarioId = idFrom(fields.scenario_id)
      return formResponse(
        request,
        () => {
          if (fields.scenario_id === undefined) return seeOther(request, storyEndUrl(app.createAdventure({})))
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
    .post('/adventures/:id/shelf', ({ params, body, request }) =>
      formResponse(
        request,
        () => {
          const { shelf } = fieldsOf(body)
          const put = SHELVES.find((known) => known === shelf) ?? 'open'
          const [id, from] = [idFrom(params.id), refererPath(request, '/adventures')]
          app.shelveAdventures([id], put)
          // From the story's own page one goes to the library.
          const list = new URL(from, request.url).pathname === storyUrl(id) ? '/adventures' : from
          return seeOther(request, `${list}#story-${id}`, put)
        },
        (notice) => <LibraryPage {...libraryProps(app)} notice={notice} />,
      ),
    )
    .post('/adventures/selected', ({ body, request }) => {
      const fields = fieldsOf(body)
      const ids = chosenIn(fields)
      const back = refererPath(request, '/adventures')
      return formResponse(
        request,
        async () => {
          if (fields.do === 'delete' && fields.confirmed === undefined)
            return pageResponse(<DeleteStoriesPage stories={storiesOf(app, ids)} />)
          if (fields.do === 'delete') {
            for (const id of ids) await app.removeAdventure(id)
            return seeOther(request, '/adventures', 'deleted')
          }
          const shelf = SHELVES.find((known) => known === fields.do) ?? 'open'
          app.shelveAdventures(ids, shelf)
          return seeOther(request, back, ids.length > 0 ? shelf : undefined)
        },
        (notice) => <LibraryPage {...libraryProps(app)} notice={notice} />,
      )
    })

/** The ids of the stories that are checked. */
function chosenIn(fields: FormFields): number[] {
  return Object.keys(fields).flatMap((name) => (name.startsWith('story:') ? [idFrom(name.slice(6))] : []))
}

function storiesOf(app: App, ids: readonly number[]): AdventureListItem[] {
  return listAdventures(app.reader).filter(({ id }) => ids.includes(id))
}

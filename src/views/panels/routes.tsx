import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { App } from '../../app/app.ts'
import { getAdventure } from '../../db/tables/adventures.ts'
import { adventureFields } from '../../domain/adventure.ts'
import { StoryError } from '../../domain/errors.ts'
import { LIMITS } from '../../domain/limits.ts'
import { validated } from '../../domain/validation.ts'
import { lengthOf } from '../../lib/text.ts'
import { formRoutes } from '../form-routes.ts'
import { atStory, passageResponse } from '../play/story-response.tsx'
import { formResponse, idFrom, isFragment, pageResponse, seeOther, seePanel } from '../respond.tsx'
import { autosaveResponse } from '../ui/autosave-form.tsx'
import { panelUrl, passageUrl } from '../urls.ts'
import { memoryRoutes } from './memory-routes.tsx'
import { plotForm } from './plot.tsx'
import { plotPage } from './plot-page.tsx'
import { worldRoutes } from './world-routes.tsx'

export const panelRoutes = (app: App) =>
  new Elysia().use(plotRoutes(app)).use(memoryRoutes(app)).use(worldRoutes(app))

const plotRoutes = (app: App) =>
  formRoutes('')
    .post('/adventures/:id', ({ id, fields, request }) =>
      autosaveResponse(request, fields, {
        form: () =>
          plotForm(getAdventure(app.reader, id), fields.story_summary === undefined ? 'plot' : 'summary'),
        write: (check) =>
          app.updateAdventureFields(id, validated(Type.Partial(adventureFields()), fields), check),
        page: (notice, fault) => plotPage(app, id, { notice, typed: fields, fault }),
      }),
    )
    .post('/adventures/:id/recall', ({ id, fields, request }) => {
      const { line = '' } = fields
      return formResponse(
        request,
        async () => {
          if (lengthOf(line) > LIMITS.line)
            throw new StoryError('invalid', `A line can have up to ${LIMITS.line} characters. Shorten it.`)
          const recalled = { line, ...(await app.tryRecall(id, line)) }
          return pageResponse(plotPage(app, id, { notice: '', recalled }))
        },
        (notice) => plotPage(app, id, { notice }),
      )
    })
    .post('/adventures/:id/bookmark', ({ id, fields, request }) =>
      atStory(app, id, request, () => {
        const { action = '', name: named, off } = fields
        const name = named ?? ''
        if (lengthOf(name) > LIMITS.name)
          throw new StoryError('invalid', `A bookmark’s name can have up to ${LIMITS.name} characters.`)
        const actionId = idFrom(action)
        if (off) app.removeBookmark(id, actionId)
        else app.addBookmark(id, actionId, name.trim())
        // Back to the list, whose forms send a name, or to the passage.
        if (named !== undefined) return seePanel(panelUrl(id, 'contents'), off ? 'unbookmarked' : 'saved')
        const did = off ? 'unbookmarked' : 'bookmarked'
        if (isFragment(request)) return passageResponse(app, id, actionId, { did })
        return seeOther(request, passageUrl({ id: actionId, adventure_id: id }), did)
      }),
    )
    .post('/adventures/:id/delete', ({ id, request }) =>
      atStory(app, id, request, async () => {
        app.removeAdventures([id])
        return seeOther(request, '/', 'deleted')
      }),
    )

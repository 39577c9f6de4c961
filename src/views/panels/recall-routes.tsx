import type { App } from '../../app/app.ts'
import { StoryError } from '../../domain/errors.ts'
import { LIMITS } from '../../domain/limits.ts'
import { lengthOf } from '../../lib/text.ts'
import { formRoutes } from '../form-routes.ts'
import { formResponse, htmlResponse, isFragment, pageResponse } from '../respond.tsx'
import { plotPage } from './plot-page.tsx'
import { RecallTestResult } from './try-recall.tsx'

/** The form that tests what a line recalls. */
export const recallRoutes = (app: App) =>
  formRoutes('/adventures/:id').post('/recall', ({ id, fields, request }) => {
    const { line = '' } = fields
    return formResponse(
      request,
      async () => {
        if (lengthOf(line) > LIMITS.line)
          throw new StoryError('invalid', `A line can have up to ${LIMITS.line} characters. Shorten it.`)
        const recalled = { line, ...(await app.tryRecall(id, line)) }
        return isFragment(request)
          ? htmlResponse((<RecallTestResult adventureId={id} tried={recalled} />).html)
          : pageResponse(plotPage(app, id, { notice: '', recalled }))
      },
      (notice) => plotPage(app, id, { notice }),
    )
  })

import { Type } from '@sinclair/typebox'
import type { App } from '../../app/app.ts'
import { getCard } from '../../db/tables/story-cards.ts'
import type { StoryError } from '../../domain/errors.ts'
import { cardFields, type StoryCard } from '../../domain/story-card.ts'
import type { Timing } from '../../domain/timing/timing.ts'
import { timingFromForm } from '../../domain/timing/timing-form.ts'
import { validated } from '../../domain/validation.ts'
import { formRoutes } from '../../http/form.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { plotPage } from '../panels/plot-page.tsx'
import {
  type FormFields,
  fieldsOf,
  formResponse,
  htmlResponse,
  idFrom,
  isFragment,
  pageResponse,
  seePanel,
} from '../respond.tsx'
import { EditorPage } from '../scenario/editor.tsx'
import { editorProps } from '../scenario/scenario-props.ts'
import { autosavedFrom } from '../ui/autosave-field.tsx'
import { autosaveResponse } from '../ui/autosave-response.tsx'
import { cardUrl } from '../urls.ts'
import { CARD_TEXTS, cardScope } from './card-editors.tsx'
import { type CardTest, TriedCards, trialFromForm } from './try-cards.tsx'

/** The forms of story cards, of a scenario or a story. */
export const cardRoutes = (app: App) =>
  formRoutes('/story-cards')
    .post('/try', ({ body, request }) => {
      const fields = fieldsOf(body)
      const owner = ownerIn(fields)
      return formResponse(
        request,
        () => {
          const tried = { fields, cards: app.tryCards({ ...owner, ...trialFromForm(fields) }) }
          return isFragment(request)
            ? htmlResponse((<TriedCards tried={tried} />).html)
            : pageResponse(ownerPage(app, owner, { notice: '', tried }))
        },
        (notice) => ownerPage(app, owner, { notice }),
      )
    })
    .post('', ({ body, request }) => {
      const fields = fieldsOf(body)
      const owner = ownerIn(fields)
      return formResponse(
        request,
        () => {
          const card = app.createCard({ ...validated(Type.Partial(cardFields()), fields), ...owner })
          return seePanel(cardUrl(card), 'added')
        },
        (notice) => ownerPage(app, owner, { notice, typed: fields }),
      )
    })
    .post('/:id', ({ params, body, request }) => {
      const id = idFrom(params.id)
      const fields = fieldsOf(body)
      const text = CARD_TEXTS.find(({ name }) => name === fields.only)
      if (isFragment(request) && text)
        return autosaveResponse(fields, {
          text,
          action: `/story-cards/${id}`,
          scope: cardScope(id),
          write: () => writeCard(app, id, fields),
          stored: () => getCard(app.reader, id)[text.name],
        })
      return formResponse(
        request,
        () => seePanel(cardUrl(writeCard(app, id, fields)), 'saved'),
        (notice, fault) => {
          const typed = { ...fields, card: String(id) }
          return ownerPage(app, getCard(app.reader, id), { notice, typed, fault })
        },
      )
    })
    .post('/:id/timing', ({ params, body, request }) => {
      const id = idFrom(params.id)
      const fields = fieldsOf(body)
      const timing = timingFromForm(fields) as Timing
      return formResponse(
        request,
        () => seePanel(cardUrl(app.changeCard(id, { timing })), 'saved'),
        (notice) =>
          ownerPage(app, getCard(app.reader, id), { notice, typed: { ...fields, card: String(id) } }),
      )
    })
    .post('/:id/move', ({ params, body, request }) => {
      const id = idFrom(params.id)
      const where = fieldsOf(body).where === 'earlier' ? 'earlier' : 'later'
      return formResponse(
        request,
        () => seePanel(cardUrl(app.moveCard(id, where)), 'moved'),
        (notice) => ownerPage(app, getCard(app.reader, id), { notice }),
      )
    })
    .post('/:id/delete', ({ params, request }) => {
      const id = idFrom(params.id)
      return formResponse(
        request,
        () => {
          const card = getCard(app.reader, id)
          app.removeCard(id)
          return seePanel(cardUrl({ ...card, id: 0 }), 'deleted')
        },
        (notice) => ownerPage(app, getCard(app.reader, id), { notice }),
      )
    })

function ownerIn({ scenario_id, adventure_id }: FormFields) {
  return scenario_id ? { scenario_id: idFrom(scenario_id) } : { adventure_id: idFrom(adventure_id) }
}

/** The page of the scenario or story that has the cards. */
function ownerPage(
  app: App,
  { scenario_id, adventure_id }: { scenario_id?: number | null; adventure_id?: number | null },
  state: { notice: string; typed?: FormFields; fault?: StoryError; tried?: CardTest },
): Markup {
  if (scenario_id) {
    return <EditorPage {...editorProps(app, scenario_id)} tab="cards" {...state} />
  }
  return plotPage(app, adventure_id ?? 0, state)
}

function writeCard(app: App, id: number, fields: FormFields): StoryCard {
  const { changed, seen } = autosavedFrom(fields, CARD_TEXTS, cardFields())
  return app.changeCard(id, validated(Type.Partial(cardFields()), changed), seen)
}

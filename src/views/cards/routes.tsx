import { Type } from '@sinclair/typebox'
import type { App } from '../../app/app.ts'
import { getWorld } from '../../db/tables/adventures.ts'
import { getScenario } from '../../db/tables/scenarios.ts'
import { type CardOwner, getCard, listCards } from '../../db/tables/story-cards.ts'
import { readChecks } from '../../domain/checks/check.ts'
import type { StoryError } from '../../domain/errors.ts'
import { type CardFields, cardFields, isBlankCard, type StoryCard } from '../../domain/story-card.ts'
import { formOfTiming, timingFromForm, unfinishedConditions } from '../../domain/timing/timing-form.ts'
import { timingLinter } from '../../domain/timing/timing-lint.ts'
import { validated } from '../../domain/validation.ts'
import { type Rules, readRules } from '../../domain/world/rules.ts'
import type { StatSchema } from '../../domain/world/state.ts'
import { formRoutes } from '../form-routes.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { plotPage } from '../panels/plot-page.tsx'
import { type FormFields, formResponse, idFrom, isFragment, pageResponse, seePanel } from '../respond.tsx'
import { EditorPage } from '../scenario/editor.tsx'
import { editorProps } from '../scenario/scenario-props.ts'
import { autosaveResponse } from '../ui/autosave-form.tsx'
import { cardUrl } from '../urls.ts'
import { CardTitle, cardForm } from './card-editors.tsx'
import { SavedTiming } from './timing-form.tsx'
import { type CardTest, trialFromForm } from './try-cards.tsx'

export const cardRoutes = (app: App) =>
  formRoutes('/story-cards')
    .post('/try', ({ fields, request }) => {
      const owner = ownerIn(fields)
      return formResponse(
        request,
        () => {
          const tried = { fields, cards: app.tryCards({ ...owner, ...trialFromForm(fields) }) }
          return pageResponse(ownerPage(app, owner, { notice: '', tried }))
        },
        (notice) => ownerPage(app, owner, { notice }),
      )
    })
    .post('', ({ fields, request }) => {
      const owner = ownerIn(fields)
      return formResponse(
        request,
        () => {
          const blank = app.cardsOf(owner).find(isBlankCard)
          return seePanel(cardUrl(blank ?? app.createCard(owner)))
        },
        (notice) => ownerPage(app, owner, { notice }),
      )
    })
    .post('/:id', ({ id, fields, request }) => autosaveCard(app, id, fields, request))
    .post('/:id/move', ({ id, fields, request }) => {
      const where = fields.where === 'earlier' ? 'earlier' : 'later'
      return formResponse(
        request,
        () => seePanel(cardUrl(app.moveCard(id, where)), 'moved'),
        (notice) => ownerPage(app, getCard(app.reader, id), { notice }),
      )
    })
    .post('/:id/delete', ({ id, request }) =>
      formResponse(
        request,
        () => {
          const card = getCard(app.reader, id)
          app.removeCard(id)
          return seePanel(cardUrl({ ...card, id: 0 }), 'deleted')
        },
        (notice) => ownerPage(app, getCard(app.reader, id), { notice }),
      ),
    )

function ownerIn({ scenario_id, adventure_id }: FormFields) {
  return scenario_id ? { scenario_id: idFrom(scenario_id) } : { adventure_id: idFrom(adventure_id) }
}

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

/** The response also says what follows from the timing of the card. */
function autosaveCard(app: App, id: number, fields: FormFields, request: Request): Promise<Response> {
  const rules = readRules(schemaAround(app, id))
  // With script a condition waits for its value.
  const unfinished = isFragment(request) ? unfinishedConditions(fields, rules) : []
  const finished = { ...fields, ...Object.fromEntries(unfinished.map((row) => [`what-${row}`, ''])) }
  return autosaveResponse(request, fields, {
    form: () => cardForm(getCard(app.reader, id)),
    write: (check) => {
      const texts = validated(Type.Partial(cardFields()), fields)
      const timing = changedTiming(getCard(app.reader, id), finished, rules)
      app.changeCard(id, { ...texts, ...timing }, check)
    },
    more: () => (
      <>
        <CardTitle card={getCard(app.reader, id)} isOutOfBand />
        <SavedTiming {...timingProps(app, id)} fields={fields} unfinished={unfinished} />
      </>
    ),
    page: (notice, fault) =>
      ownerPage(app, getCard(app.reader, id), { notice, typed: { ...fields, card: String(id) }, fault }),
  })
}

/** The timing in a form. An imported one may have values that the form shows alike, and stays as it is. */
function changedTiming({ timing = null }: StoryCard, fields: FormFields, rules: Rules): Partial<CardFields> {
  if (fields['what-0'] === undefined) return {}
  const [typed, shown] = [fields, formOfTiming(timing)].map((form) => timingFromForm(form, rules))
  // A timing that cannot be read is refused by name.
  return JSON.stringify(typed) === JSON.stringify(shown) ? {} : ({ timing: typed } as Partial<CardFields>)
}

function timingProps(app: App, id: number) {
  const card = getCard(app.reader, id)
  const schema = schemaAround(app, id)
  const owner = ownerOf(card)
  return {
    card,
    checks: readChecks(schema),
    remarks: timingLinter(schema, listCards(app.reader, owner))(card),
  }
}

function schemaAround(app: App, id: number): StatSchema | null {
  const owner = ownerOf(getCard(app.reader, id))
  return 'scenario_id' in owner
    ? getScenario(app.reader, owner.scenario_id).stat_schema
    : getWorld(app.reader, owner.adventure_id).schema
}

function ownerOf({ scenario_id, adventure_id }: StoryCard): CardOwner {
  return scenario_id === null ? { adventure_id: adventure_id ?? 0 } : { scenario_id }
}

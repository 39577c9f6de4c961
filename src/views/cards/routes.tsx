import { Type } from '@sinclair/typebox'
import type { App } from '../../app/app.ts'
import { getWorld } from '../../db/tables/adventures.ts'
import { getScenario } from '../../db/tables/scenarios.ts'
import { type CardOwner, getCard, listCards } from '../../db/tables/story-cards.ts'
import { readChecks } from '../../domain/checks/check.ts'
import type { StoryError } from '../../domain/errors.ts'
import { cardFields, isBlankCard, type StoryCard } from '../../domain/story-card.ts'
import type { Timing } from '../../domain/timing/timing.ts'
import { checkedTiming } from '../../domain/timing/timing-faults.ts'
import { timingFromForm, unfinishedConditions } from '../../domain/timing/timing-form.ts'
import { timingLinter } from '../../domain/timing/timing-lint.ts'
import { validated } from '../../domain/validation.ts'
import { readRules } from '../../domain/world/rules.ts'
import type { StatSchema } from '../../domain/world/state.ts'
import { formRoutes } from '../form-routes.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { plotPage } from '../panels/plot-page.tsx'
import {
  type FormFields,
  formResponse,
  htmlResponse,
  idFrom,
  isFragment,
  pageResponse,
  seePanel,
} from '../respond.tsx'
import { EditorPage } from '../scenario/editor.tsx'
import { editorProps } from '../scenario/scenario-props.ts'
import { autosavedFrom, isToSave, seenVersionIn } from '../ui/autosave-field.tsx'
import { autosaveResponse } from '../ui/autosave-response.tsx'
import { cardUrl } from '../urls.ts'
import { CARD_TEXTS, CardTitle } from './card-editors.tsx'
import { cardScope, SavedTiming, TIMING, TimingUnit, timingText } from './timing-form.tsx'
import { type CardTest, TriedCards, trialFromForm } from './try-cards.tsx'

/** The forms of story cards, of a scenario or a story. */
export const cardRoutes = (app: App) =>
  formRoutes('/story-cards')
    .post('/try', ({ fields, request }) => {
      const owner = ownerIn(fields)
      return formResponse(
        request,
        () => {
          const tried = { fields, cards: app.tryCards({ ...owner, ...trialFromForm(fields) }) }
          return isFragment(request)
            ? htmlResponse(<TriedCards tried={tried} />)
            : pageResponse(ownerPage(app, owner, { notice: '', tried }))
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
    .post('/:id', ({ id, fields, request }) => {
      const text = CARD_TEXTS.find(({ name }) => name === fields.only)
      if (isFragment(request) && text)
        return autosaveResponse(fields, {
          text,
          action: `/story-cards/${id}`,
          scope: cardScope(id),
          write: () => writeCard(app, id, fields),
          stored: () => getCard(app.reader, id)[text.name],
          more: () =>
            text.name === 'name' ? <CardTitle card={getCard(app.reader, id)} isOutOfBand /> : null,
        })
      if (isFragment(request) && fields.only === TIMING.name) return autosaveTiming(app, id, fields)
      return formResponse(
        request,
        () => seePanel(cardUrl(writeCard(app, id, fields)), 'saved'),
        (notice, fault) => {
          const typed = { ...fields, card: String(id), timing: storedText(typedTiming(app, id, fields)) }
          return ownerPage(app, getCard(app.reader, id), { notice, typed, fault })
        },
      )
    })
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

function writeCard(app: App, id: number, fields: FormFields, typed?: unknown): StoryCard {
  const { changed, seen } = autosavedFrom(fields, CARD_TEXTS, cardFields())
  const texts = validated(Type.Partial(cardFields()), changed)
  if (fields['what-0'] === undefined || !isToSave(fields, TIMING.name)) return app.changeCard(id, texts, seen)
  // What cannot be read is refused by name.
  const timing = (typed ?? typedTiming(app, id, fields)) as Timing
  return app.changeCard(
    id,
    { ...texts, timing },
    { ...seen, [TIMING.name]: seenVersionIn(fields, TIMING.name) },
  )
}

/** Saves the timing of a card; the response also says what follows from it. */
function autosaveTiming(app: App, id: number, fields: FormFields): Response | Promise<Response> {
  const props = () => timingProps(app, id)
  if (fields.theirs === TIMING.name) return htmlResponse(<TimingUnit {...props()} />)
  const rules = readRules(schemaAround(app, id))
  const unfinished = unfinishedConditions(fields, rules)
  const finished = { ...fields, ...Object.fromEntries(unfinished.map((row) => [`what-${row}`, ''])) }
  const typed = timingFromForm(finished, rules)
  return autosaveResponse(
    { ...finished, timing: storedText(typed) },
    {
      text: TIMING,
      action: `/story-cards/${id}`,
      scope: cardScope(id),
      write: () => writeCard(app, id, finished, typed),
      stored: () => timingText(getCard(app.reader, id)),
      more: () => <SavedTiming {...props()} fields={fields} unfinished={unfinished} />,
    },
  )
}

function typedTiming(app: App, id: number, fields: FormFields): unknown {
  return timingFromForm(fields, readRules(schemaAround(app, id)))
}

/** A typed timing as it is stored, or as it was typed where it cannot be. */
function storedText(typed: unknown): string {
  try {
    return timingText({ timing: checkedTiming(typed) })
  } catch {
    return JSON.stringify(typed)
  }
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

/** The stats of the scenario or story that has a card. */
function schemaAround(app: App, id: number): StatSchema | null {
  const owner = ownerOf(getCard(app.reader, id))
  return 'scenario_id' in owner
    ? getScenario(app.reader, owner.scenario_id).stat_schema
    : getWorld(app.reader, owner.adventure_id).schema
}

function ownerOf({ scenario_id, adventure_id }: StoryCard): CardOwner {
  return scenario_id === null ? { adventure_id: adventure_id ?? 0 } : { scenario_id }
}

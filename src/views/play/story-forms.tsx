import { Type } from '@sinclair/typebox'
import { beginAdventure, changeAdventure, removeAdventure, shelveAdventure } from '../../app/adventures.ts'
import { markPassage, unmarkPassage } from '../../app/bookmarks.ts'
import type { Deps } from '../../app/deps.ts'
import { changeCard, createCard, moveCard, removeCard, tryCards } from '../../app/scenario/story-cards.ts'
import { getCard } from '../../db/tables/story-cards.ts'
import { type Adventure, type AdventureFields, adventureFields, SHELVES } from '../../domain/adventure.ts'
import { type Seen, seenMark } from '../../domain/changed-elsewhere.ts'
import { StoryError } from '../../domain/errors.ts'
import { LIMITS } from '../../domain/limits.ts'
import { cardFields, type StoryCard } from '../../domain/story-card.ts'
import { lengthOf } from '../../lib/text.ts'
import { validated } from '../../domain/validation.ts'
import { formRoutes } from '../../http/form.ts'
import { asStoryError, statusOf } from '../../http/problem.ts'
import {
  cameFrom,
  type Fields,
  fieldsOf,
  formAnswer,
  htmlAnswer,
  idFrom,
  isFragment,
  pageAnswer,
  seeOther,
} from '../respond.tsx'
import { allAnswers } from '../asked.ts'
import { CARD_TEXTS, cardScope, Tried, type TriedText } from '../cards.tsx'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { keptAnswer } from '../kept-answer.tsx'
import { keptFrom } from '../kept-field.tsx'
import { LibraryPage } from '../library/library.tsx'
import { libraryProps, scenarioProps } from '../library/library-props.ts'
import { ContentsPanel } from '../panels/contents.tsx'
import { Plot, PlotState } from '../panels/plot.tsx'
import { ScenarioPage } from '../scenario/scenario.tsx'
import { placeOf } from './action.tsx'
import { type PanelName, PlayPage } from './play.tsx'
import { contentsProps, playProps, plotProps } from './play-props.ts'

/** The forms around a story: beginning it, its plot, its cards, and its end. */
export const storyForms = (deps: Deps) =>
  formRoutes('')
    .post('/adventures', ({ body, request }) => {
      const fields = fieldsOf(body)
      const scenarioId = idFrom(fields.scenario_id)
      return formAnswer(
        request,
        () => {
          if (fields.scenario_id === undefined) return seeOther(request, storyPath(beginAdventure(deps, {})))
          const placeholders = allAnswers(
            fields,
            scenarioProps(deps, scenarioId).questions.map(({ name }) => name),
          )
          return seeOther(request, storyPath(beginAdventure(deps, { scenario_id: scenarioId, placeholders })))
        },
        (notice) =>
          scenarioId ? (
            <ScenarioPage {...scenarioProps(deps, scenarioId)} notice={notice} typed={fields} />
          ) : (
            <LibraryPage {...libraryProps(deps)} />
          ),
      )
    })
    .post('/adventures/:id', ({ params, body, request }) => {
      const id = idFrom(params.id)
      const fields = fieldsOf(body)
      return formAnswer(
        request,
        () => {
          if (isFragment(request)) return savedAnswer(deps, id, fields)
          changeAdventure(deps, id, changesIn(fields), seenIn(fields))
          return seeOther(request, panelPath(id, fields['was-auto_summarize'] ? 'memory' : 'plot'), 'saved')
        },
        (notice, fault) => plotPage(deps, id, clashNotice(notice, fault), fields),
      )
    })
    .post('/adventures/:id/shelf', ({ params, body, request }) =>
      formAnswer(
        request,
        () => {
          const { shelf } = fieldsOf(body)
          const put = SHELVES.find((known) => known === shelf) ?? 'open'
          shelveAdventure(deps, idFrom(params.id), put)
          return seeOther(request, `${cameFrom(request, '/adventures')}#story-${idFrom(params.id)}`, put)
        },
        (notice) => <LibraryPage {...libraryProps(deps)} notice={notice} />,
      ),
    )
    .post('/adventures/:id/mark', ({ params, body, request }) => {
      const id = idFrom(params.id)
      return formAnswer(
        request,
        () => {
          const { action = '', name: named, off } = fieldsOf(body)
          const name = named ?? ''
          if (lengthOf(name) > LIMITS.name)
            throw new StoryError('invalid', `The name of a mark may have ${LIMITS.name} characters.`)
          if (off) unmarkPassage(deps, id, idFrom(action))
          else markPassage(deps, id, idFrom(action), name.trim())
          // From the list one comes back to the list, from the passage to the passage.
          if (off) return seeOther(request, panelPath(id, 'contents'), 'unmarked')
          if (named !== undefined) return seeOther(request, panelPath(id, 'contents'), 'saved')
          if (!isFragment(request))
            return seeOther(request, placeOf({ id: idFrom(action), adventure_id: id }), 'marked')
          return htmlAnswer((<ContentsPanel {...contentsProps(deps, id)} />).html)
        },
        (notice) => PlayPage({ ...playProps(deps, id), notice }),
      )
    })
    .post('/adventures/:id/delete', ({ params, request }) => {
      const id = idFrom(params.id)
      return formAnswer(
        request,
        () => {
          removeAdventure(deps, id)
          return seeOther(request, '/', 'deleted')
        },
        (notice) => plotPage(deps, id, notice, {}),
      )
    })
    .post('/story-cards/try', ({ body, request }) => {
      const { text = '', scenario_id, adventure_id } = fieldsOf(body)
      const owner = scenario_id
        ? { scenario_id: idFrom(scenario_id) }
        : { adventure_id: idFrom(adventure_id) }
      const page = (notice: string, tried?: TriedText) =>
        'scenario_id' in owner ? (
          <ScenarioPage
            {...scenarioProps(deps, owner.scenario_id)}
            open="cards"
            tried={tried}
            notice={notice}
          />
        ) : (
          plotPage(deps, owner.adventure_id, notice, {}, tried)
        )
      return formAnswer(
        request,
        () => {
          const tried = { text, cards: tryCards(deps, owner, text) }
          return isFragment(request)
            ? htmlAnswer((<Tried tried={tried} />).html)
            : pageAnswer(page('', tried))
        },
        (notice) => page(notice),
      )
    })
    .post('/story-cards', ({ body, request }) => {
      const fields = fieldsOf(body)
      const owner = fields.scenario_id
        ? { scenario_id: idFrom(fields.scenario_id) }
        : { adventure_id: idFrom(fields.adventure_id) }
      return formAnswer(
        request,
        () => {
          const card = createCard(deps, { ...validated(Type.Partial(cardFields()), fields), ...owner })
          return seeOther(request, pathOf(card), 'added')
        },
        (notice) => ownerPage(deps, owner, notice, fields),
      )
    })
    .post('/story-cards/:id', ({ params, body, request }) => {
      const id = idFrom(params.id)
      const fields = fieldsOf(body)
      const text = CARD_TEXTS.find(({ name }) => name === fields.only)
      if (isFragment(request) && text)
        return keptAnswer(fields, {
          text,
          action: `/story-cards/${id}`,
          scope: cardScope(id),
          write: () => writeCard(deps, id, fields),
          stored: () => getCard(deps.library.reader, id)[text.name],
        })
      return formAnswer(
        request,
        () => seeOther(request, pathOf(writeCard(deps, id, fields)), 'saved'),
        (notice, fault) => {
          const typed = { ...fields, card: String(id) }
          return ownerPage(deps, getCard(deps.library.reader, id), notice, typed, fault)
        },
      )
    })
    .post('/story-cards/:id/move', ({ params, body, request }) => {
      const id = idFrom(params.id)
      const where = fieldsOf(body).where === 'earlier' ? 'earlier' : 'later'
      return formAnswer(
        request,
        () => seeOther(request, pathOf(moveCard(deps, id, where)), 'moved'),
        (notice) => ownerPage(deps, getCard(deps.library.reader, id), notice),
      )
    })
    .post('/story-cards/:id/delete', ({ params, request }) => {
      const id = idFrom(params.id)
      return formAnswer(
        request,
        () => {
          const card = getCard(deps.library.reader, id)
          removeCard(deps, id)
          return seeOther(request, pathOf({ ...card, id: 0 }), 'deleted')
        },
        (notice) => ownerPage(deps, getCard(deps.library.reader, id), notice),
      )
    })

// A pause in the typing: what could not be kept says so beside its form, and stays there.
function savedAnswer(deps: Deps, id: number, fields: Fields): Response {
  try {
    const stored = changeAdventure(deps, id, changesIn(fields), seenIn(fields))
    return htmlAnswer(
      (
        <>
          <PlotState adventureId={id} words="Saved." />
          {PLOT_TEXTS.filter((name) => isTouched(fields, name)).map((name) => (
            <input
              type="hidden"
              name={`was-${name}`}
              value={stored[name]}
              hx-swap-oob={`outerHTML:#plot-form [name='was-${name}']`}
            />
          ))}
        </>
      ).html,
    )
  } catch (error) {
    const fault = asStoryError(error, 'a plot that was typed')
    return htmlAnswer(
      (<PlotState adventureId={id} words={`Not saved. ${clashNotice(fault.message, fault)}`} />).html,
      fault.code === 'changed_elsewhere' ? statusOf(fault) : 200,
    )
  }
}

// What nobody touched here stays as it was shown: it may be another by now.
function isTouched(fields: Fields, name: string): boolean {
  return fields[`was-${name}`] !== undefined && fields[name] !== fields[`was-${name}`]
}

const PLOT_TEXTS = ['title', 'memory', 'authors_note', 'ai_instructions', 'story_summary'] as const

function changesIn(fields: Fields): Partial<AdventureFields> {
  return validated(Type.Partial(adventureFields()), { ...fields, ...switchesIn(fields) })
}

// The form tells each text as it was shown; `mine-…` is one that its author has compared since then.
function seenIn(fields: Fields): Seen {
  return Object.fromEntries(
    PLOT_TEXTS.map((name) => [name, fields[`mine-${name}`] ?? fields[`was-${name}`]] as const)
      .filter((seen): seen is [(typeof PLOT_TEXTS)[number], string] => seen[1] !== undefined)
      .map(([name, text]) => [name, seenMark(text)]),
  )
}

/** A refusal, with what is stored now where a text was changed elsewhere: both can be read, and none is lost. */
function clashNotice(notice: string, { more }: StoryError): string {
  const stored = (more.clashes ?? []).map(
    ({ field, stored }) => `${field.replaceAll('_', ' ')}, as it is stored now: “${stored}”`,
  )
  return [notice, ...stored].join(' ')
}

// A box that is not ticked is not sent; the field beside it says that it was there.
function switchesIn(fields: Fields): Record<string, boolean> {
  const names = ['auto_summarize', 'memory_bank_enabled'].filter(
    (name) => fields[`was-${name}`] !== undefined,
  )
  return Object.fromEntries(names.map((name) => [name, fields[name] === '1']))
}

function plotPage(deps: Deps, id: number, notice: string, typed: Fields, tried?: TriedText): Markup {
  const props = playProps(deps, id)
  const adventure: Adventure = { ...props.adventure, ...typed }
  return (
    <PlayPage
      {...props}
      notice={notice}
      panelName="plot"
      panel={<Plot {...plotProps(deps, id)} adventure={adventure} kept={props.adventure} tried={tried} />}
    />
  )
}

function ownerPage(
  deps: Deps,
  { scenario_id, adventure_id }: { scenario_id?: number | null; adventure_id?: number | null },
  notice: string,
  typed?: Fields,
  fault?: StoryError,
): Markup {
  if (scenario_id)
    return (
      <ScenarioPage
        {...scenarioProps(deps, scenario_id)}
        open="cards"
        notice={notice}
        typed={typed}
        fault={fault}
      />
    )
  return plotPage(deps, adventure_id ?? 0, fault ? clashNotice(notice, fault) : notice, {})
}

function writeCard(deps: Deps, id: number, fields: Fields): StoryCard {
  const { changed, seen } = keptFrom(fields, CARD_TEXTS)
  return changeCard(deps, id, validated(Type.Partial(cardFields()), changed), seen)
}

/** Where a card is edited; without an id, where all of them are. */
function pathOf({
  id,
  scenario_id,
  adventure_id,
}: Pick<StoryCard, 'id' | 'scenario_id' | 'adventure_id'>): string {
  const page =
    scenario_id === null ? `/adventures/${adventure_id}?panel=plot` : `/scenarios/${scenario_id}?open=cards`
  return `${page}#${id === 0 ? 'card-list' : `card-${id}`}`
}

function panelPath(id: number, panel: PanelName): string {
  return `/adventures/${id}?panel=${panel}#panel`
}

function storyPath(id: number): string {
  return `/adventures/${id}#tools`
}

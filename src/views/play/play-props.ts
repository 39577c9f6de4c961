import { placeholderAnswers } from '../../app/adventure/placeholders.ts'
import { openQuestions } from '../../app/adventure/questions.ts'
import { refreshPlan } from '../../app/adventure/refresh.ts'
import type { App } from '../../app/app.ts'
import { findReroll } from '../../app/checks/roll-again.ts'
import { offersRecord } from '../../app/recording/recorded-passage.ts'
import { withoutReason } from '../../app/turn/end-events.ts'
import { listChapters } from '../../db/search/chapters.ts'
import { findUnusedCards } from '../../db/stories/unused-cards.ts'
import { findNewest, listActions, listNewest } from '../../db/tables/actions/list.ts'
import { findAt, findFirst, findFollowing } from '../../db/tables/actions/position.ts'
import { listDeltas } from '../../db/tables/actions/variants.ts'
import { findAdventure, getAdventure, getWorld } from '../../db/tables/adventures.ts'
import { listBookmarkedIds, listBookmarks } from '../../db/tables/bookmarks.ts'
import { listPlayerNames } from '../../db/tables/player-names.ts'
import { getReaderPreferences } from '../../db/tables/preferences.ts'
import { getSettings } from '../../db/tables/settings.ts'
import { listCards } from '../../db/tables/story-cards.ts'
import { listSuggestions } from '../../db/tables/suggestions.ts'
import { findDraft } from '../../db/tables/waiting-lines.ts'
import { type ActionPage, type ActionView, actionView } from '../../domain/action.ts'
import { readChecks } from '../../domain/checks/check.ts'
import { PAGE_SIZE } from '../../domain/limits.ts'
import { isPractice } from '../../domain/settings.ts'
import { type ProseLanguage, proseLanguage } from '../../domain/text/language.ts'
import { verdictsOf } from '../../domain/world/delta-report.ts'
import { readRules } from '../../domain/world/rules.ts'
import { hasStats } from '../../domain/world/state.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import type { ContentsProps } from '../panels/contents.tsx'
import { MemoryPanel } from '../panels/memory.tsx'
import type { PlotProps } from '../panels/plot.tsx'
import type { WorldProps } from '../panels/world-state.tsx'
import { lengthFrom } from '../ui/story-length.ts'
import type { EndProps, PlayProps } from './page-props.ts'
import { previouslyIn } from './previously.tsx'
import type { StoryLook } from './story-look.ts'

/** Throws not_found. */
export function playProps(app: App, adventureId: number): EndProps {
  const page = listActions(app.reader, adventureId, PAGE_SIZE)
  const turn = app.live.find(adventureId)
  const actions = page.actions
    .filter(({ id }) => id !== turn?.retried)
    .map((action) => whileRecording(app, adventureId, action))
  const last = actions.at(-1)
  // The roll of a line is shown with the reply that tells it.
  if (last && turn && turn.retried !== null) actions.splice(-1, 1, withoutRoll(last))
  const questions = openQuestions(app.reader, adventureId)
  return {
    ...propsOf(app, adventureId, { ...page, actions }),
    end: {
      world: worldProps(app, adventureId, page.actions.at(-1)?.index ?? 0),
      interrupted: turn ? null : app.interruptedReply(adventureId),
      questions,
      names: questions.length === 0 ? [] : listPlayerNames(app.reader),
    },
  }
}

/** Leaves out the controls at the end of the story. */
function propsOf(app: App, adventureId: number, page: ActionPage): PlayProps {
  const { reader } = app
  return {
    adventure: getAdventure(reader, adventureId),
    page,
    end: null,
    practice: isPractice(getSettings(reader)),
    look: storyLook(app, adventureId),
    turn: app.live.find(adventureId),
    outcome: app.live.outcomeOf(adventureId),
    typed: findDraft(reader, adventureId),
    suggested: suggestedFor(app, adventureId),
  }
}

function suggestedFor({ reader }: App, adventureId: number): PlayProps['suggested'] {
  const { suggest } = getReaderPreferences(reader)
  return { suggestions: listSuggestions(reader, adventureId), automatic: suggest }
}

/** Characters from which the language of a story is detected: enough for its frequent words. */
const LANGUAGE_SAMPLE = 1_200

/**
 * The language of a story: the chosen one, or the one detected in its newest passages. Without typography, its quotation
 * marks stay as typed.
 */
export function storyLanguage({ reader }: App, adventureId: number): ProseLanguage {
  const newest = listNewest(reader, adventureId, 3).map(({ text }) => text)
  const sample = newest.join(' ').slice(0, LANGUAGE_SAMPLE)
  const chosen = findAdventure(reader, adventureId)?.language ?? ''
  const detected = proseLanguage(sample, chosen)
  return getReaderPreferences(reader).typography ? detected : { ...detected, marks: 'und' }
}

/** Throws not_found. */
export function storyLook(app: App, adventureId: number): StoryLook {
  const { schema } = getWorld(app.reader, adventureId)
  return {
    language: storyLanguage(app, adventureId),
    rules: hasStats(schema) ? readRules(schema) : null,
    checks: readChecks(schema),
    reroll: () => findReroll(app.reader, adventureId),
    recorded: () => app.recordings.passageOf(adventureId),
    offersRecord: () => offersRecord(app.reader, adventureId),
    bookmarked: listBookmarkedIds(app.reader, adventureId),
  }
}

/** Adds a recap after a day. Throws not_found. */
export function openedProps(app: App, adventureId: number): EndProps {
  const props = playProps(app, adventureId)
  const now = app.now()
  const text = previouslyIn(
    props.adventure.story_summary,
    props.page.actions,
    now,
    props.look.language.language,
  )
  if (text === null) return props
  return { ...props, previously: { text, played: props.page.actions.at(-1)?.created_at ?? '', now } }
}

/** Throws not_found. */
export function contentsProps(app: App, adventureId: number): ContentsProps {
  const { reader } = app
  const { actions, total } = listActions(reader, adventureId, PAGE_SIZE)
  return {
    adventureId,
    chapters: listChapters(reader, adventureId),
    bookmarks: listBookmarks(reader, adventureId),
    passages: total,
    length: lengthFrom(actions, total),
    first: findFirst(reader, adventureId)?.id ?? null,
    language: storyLanguage(app, adventureId).language,
  }
}

/** Null without stats. */
export function worldProps(app: App, adventureId: number, newest?: number): WorldProps | null {
  const { state, schema } = getWorld(app.reader, adventureId)
  if (!hasStats(schema)) return null
  const index = newest ?? findNewest(app.reader, adventureId)?.index ?? 0
  const told = toldBy(app, adventureId)
  return { adventureId, rules: readRules(schema), state, newest: index, told }
}

/** Throws not_found. */
export function plotProps(app: App, adventureId: number): PlotProps {
  const { reader } = app
  const adventure = getAdventure(reader, adventureId)
  const plan = adventure.scenario_id === null ? null : refreshPlan(reader, adventureId)
  return {
    adventure,
    language: storyLanguage(app, adventureId).language,
    cards: listCards(reader, { adventure_id: adventureId }),
    unused: findUnusedCards(reader, { adventure_id: adventureId }),
    schema: getWorld(reader, adventureId).schema,
    start: app.trialStart({ adventure_id: adventureId }),
    answered: placeholderAnswers(reader, adventureId),
    scenario: plan && { title: plan.scenario_title, changes: plan.items.length },
  }
}

/** Throws not_found. */
export function memoryPanel(app: App, adventureId: number): Markup {
  const { reader } = app
  return MemoryPanel({
    adventure: getAdventure(reader, adventureId),
    bank: app.memoryBank(adventureId),
    practice: isPractice(getSettings(reader)),
    passageAt: (index) => findAt(reader, adventureId, index),
  })
}

/** Leaves out the controls at the end of the story. */
export function earlierProps(app: App, adventureId: number, beforeId: number): PlayProps {
  return propsOf(app, adventureId, listActions(app.reader, adventureId, PAGE_SIZE, beforeId))
}

/** The page that ends with an action; the end of the story if the action is gone. */
export function untilProps(app: App, adventureId: number, lastId: number): PlayProps {
  const next = findFollowing(app.reader, adventureId, lastId, 1)
  return next === null ? { ...playProps(app, adventureId), end: null } : earlierProps(app, adventureId, next)
}

/** The end of the story if there is no such action. */
export function aroundProps(app: App, adventureId: number, actionId: number): PlayProps {
  const props = playProps(app, adventureId)
  if (props.page.actions.some(({ id }) => id === actionId)) return { ...props, asked: actionId }
  const end = findFollowing(app.reader, adventureId, actionId, PAGE_SIZE / 2)
  return end === null ? props : { ...earlierProps(app, adventureId, end), asked: actionId }
}

export function editingProps(app: App, adventureId: number, edit: { id: number; text?: string }): PlayProps {
  return { ...aroundProps(app, adventureId, edit.id), form: { kind: 'edit', ...edit } }
}

/** The sentences that tell the changes of the newest narration, by path. */
function toldBy({ reader }: App, adventureId: number): Map<string, string> {
  const [newest] = listDeltas(reader, adventureId, { limit: 1 })
  const verdicts = verdictsOf(newest?.world_delta)
  return new Map(verdicts.flatMap(({ path, because }) => (because === undefined ? [] : [[path, because]])))
}

export function newestView(app: App, adventureId: number): ActionView | null {
  const newest = findNewest(app.reader, adventureId)
  return newest && whileRecording(app, adventureId, actionView(newest, true))
}

/** While the changes of a passage are being recorded, none are missing yet. */
function whileRecording(app: App, adventureId: number, action: ActionView): ActionView {
  return app.recordings.isRunning(adventureId) ? withoutReason(action) : action
}

function withoutRoll({ roll: _, ...action }: ActionView): ActionView {
  return action
}

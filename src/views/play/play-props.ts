import { answersOf } from '../../app/answers.ts'
import type { Deps } from '../../app/deps.ts'
import { memoryBank } from '../../app/memory/memories.ts'
import { refreshPlan } from '../../app/adventure/refresh.ts'
import { findFirst, findFollowing, findNewest, getAction, listActions } from '../../db/actions.ts'
import { getAdventure, getWorld } from '../../db/tables/adventures.ts'
import { listBookmarks } from '../../db/tables/bookmarks.ts'
import { findDraft } from '../../db/drafts.ts'
import { getSettings } from '../../db/tables/settings.ts'
import { listCards } from '../../db/tables/story-cards.ts'
import { type ActionPage, type ActionView, actionView } from '../../domain/action.ts'
import { agoInWords } from '../ui/time-ago.ts'
import { lengthFrom } from '../ui/story-length.ts'
import { PAGE } from '../../domain/limits.ts'
import { previouslyIn } from './previously-text.ts'
import { isPractice } from '../../domain/settings.ts'
import { readRules } from '../../domain/world/rules.ts'
import { hasStats } from '../../domain/world/state.ts'
import type { ContentsProps } from '../panels/contents.tsx'
import { MemoryPanel } from '../panels/memory.tsx'
import type { PlotProps } from '../panels/plot.tsx'
import type { WorldProps } from '../panels/world-state.tsx'
import { NOTHING_TYPED } from './composer.tsx'
import type { PlayProps } from './play.tsx'

/** The play page of a story as it is now. Throws not_found. */
export function playProps(deps: Deps, adventureId: number): PlayProps {
  const page = listActions(deps.library.reader, adventureId, PAGE)
  return {
    ...propsOf(deps, adventureId, page),
    world: worldProps(deps, adventureId, page.actions.at(-1)?.index ?? 0),
    endsStory: true,
  }
}

/** A page of a story without what belongs to its end. */
function propsOf(deps: Deps, adventureId: number, page: ActionPage): PlayProps {
  const { reader } = deps.library
  return {
    adventure: getAdventure(reader, adventureId),
    page,
    world: null,
    endsStory: false,
    practice: isPractice(getSettings(reader)),
    running: deps.locks.isTaken(adventureId),
    typed: findDraft(reader, adventureId) ?? NOTHING_TYPED,
  }
}

/** The story as it is opened: after a day, with what had happened. Throws not_found. */
export function openedProps(deps: Deps, adventureId: number): PlayProps {
  const props = playProps(deps, adventureId)
  const now = deps.now()
  const text = previouslyIn(props.adventure.story_summary, props.page.actions, now)
  if (text === null) return props
  return { ...props, previously: { text, ago: agoInWords(props.page.actions.at(-1)?.created_at ?? '', now) } }
}

/** How long a story is, and its marks. Throws not_found. */
export function contentsProps(deps: Deps, adventureId: number): ContentsProps {
  const { reader } = deps.library
  const { actions, total } = listActions(reader, adventureId, PAGE)
  return {
    adventureId,
    marks: listBookmarks(reader, adventureId),
    passages: total,
    length: lengthFrom(actions, total),
    first: findFirst(reader, adventureId)?.id ?? null,
  }
}

/** What the World State drawer shows; null where nothing is counted. */
export function worldProps(deps: Deps, adventureId: number, newest?: number): WorldProps | null {
  const { state, schema } = getWorld(deps.library.reader, adventureId)
  if (!hasStats(schema)) return null
  const index = newest ?? findNewest(deps.library.reader, adventureId)?.index ?? 0
  return { adventureId, rules: readRules(schema), state, newest: index }
}

/** What the plot panel shows. Throws not_found. */
export function plotProps(deps: Deps, adventureId: number): PlotProps {
  const { reader } = deps.library
  const adventure = getAdventure(reader, adventureId)
  const plan = adventure.scenario_id === null ? null : refreshPlan(reader, adventureId)
  return {
    adventure,
    cards: listCards(reader, { adventure_id: adventureId }),
    answered: answersOf(reader, adventureId),
    scenario: plan && { title: plan.scenario_title, changes: plan.items.length },
  }
}

/** The page with what is remembered. Throws not_found. */
export function memoryProps(deps: Deps, adventureId: number): PlayProps {
  const props = playProps(deps, adventureId)
  const bank = memoryBank(deps, adventureId)
  return {
    ...props,
    panelName: 'memory',
    panel: MemoryPanel({ adventure: props.adventure, bank, practice: props.practice }),
  }
}

/** The page before an action, without the tools that belong to the end of a story. */
export function earlierProps(deps: Deps, adventureId: number, beforeId: number): PlayProps {
  return propsOf(deps, adventureId, listActions(deps.library.reader, adventureId, PAGE, beforeId))
}

/** The page of a story that holds an action, with what comes before and after it; its end when there is no such action. */
export function aroundProps(deps: Deps, adventureId: number, actionId: number): PlayProps {
  const props = playProps(deps, adventureId)
  if (props.page.actions.some(({ id }) => id === actionId)) return props
  const end = findFollowing(deps.library.reader, adventureId, actionId, PAGE / 2)
  return end === null ? props : earlierProps(deps, adventureId, end)
}

/** The page with one action open for new words; an action of long ago stands alone. */
export function editingProps(
  deps: Deps,
  adventureId: number,
  editing: { id: number; text?: string },
): PlayProps {
  const props = showingProps(deps, adventureId, editing.id)
  return { ...props, editing }
}

/** The page with one action in it, wherever it stands in the story. */
export function showingProps(deps: Deps, adventureId: number, actionId: number): PlayProps {
  const props = playProps(deps, adventureId)
  if (props.page.actions.some(({ id }) => id === actionId)) return props
  const action = actionView(getAction(deps.library.reader, adventureId, actionId), false)
  const page: ActionPage = { actions: [action], total: props.page.total, has_more: true }
  return { ...props, page, endsStory: false }
}

/** The end of a story as it is stored. */
export function newestView(deps: Deps, adventureId: number): ActionView | null {
  const newest = findNewest(deps.library.reader, adventureId)
  return newest && actionView(newest, true)
}

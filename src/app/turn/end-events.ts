import { getAction } from '../../db/tables/actions/list.ts'
import { getWorld } from '../../db/tables/adventures.ts'
import { type ActionView, actionView } from '../../domain/action.ts'
import { verdictsOf } from '../../domain/world/delta-report.ts'
import { hasStats } from '../../domain/world/state.ts'
import type { TurnEventOf } from '../runtime/turn-events.ts'
import type { OpenTurn } from './turn.ts'

type Story = Pick<OpenTurn, 'deps' | 'adventureId'>

/** The text of a turn is stored, and its stat changes are being recorded. */
export function toldEvent(
  { deps, adventureId }: Story,
  actionId: number,
  notice: string,
): TurnEventOf<'told'> {
  const action = actionView(getAction(deps.library.reader, adventureId, actionId), true)
  return { type: 'told', action: withoutReason(action), ...noticeOf(notice) }
}

/** A turn is complete. Throws not_found. */
export function doneEvent(story: Story, actionId: number, notice: string): TurnEventOf<'done'> {
  const action = getAction(story.deps.library.reader, story.adventureId, actionId)
  return {
    type: 'done',
    action: actionView(action, true),
    world_state: worldOf(story),
    verdicts: verdictsOf(action.world_delta),
    ...noticeOf(notice),
  }
}

/** A turn is complete, and its passage has been removed since, perhaps with its story. */
export function removedEvent(action: ActionView): TurnEventOf<'done'> {
  return { type: 'done', action, world_state: { state: {}, schema: null }, verdicts: [] }
}

/** The passage while its changes are still being recorded: none are missing yet. */
export function withoutReason({ not_recorded: _, ...action }: ActionView): ActionView {
  return action
}

function worldOf({ deps, adventureId }: Story): TurnEventOf<'done'>['world_state'] {
  const { state, schema } = getWorld(deps.library.reader, adventureId)
  return { state, schema: hasStats(schema) ? schema : null }
}

function noticeOf(notice: string): { notice?: string } {
  return notice === '' ? {} : { notice }
}

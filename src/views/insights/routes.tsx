import { Elysia } from 'elysia'
import { insightsOf, rawResponse } from '../../app/adventure/insights.ts'
import type { App } from '../../app/app.ts'
import type { PromptDetails } from '../../app/prompt/prompt-view.ts'
import { getAdventure, getWorld } from '../../db/tables/adventures.ts'
import { StoryError } from '../../domain/errors.ts'
import { readRules } from '../../domain/world/rules.ts'
import { idFrom, pageOrNotFound } from '../respond.tsx'
import { InsightsPage, type InsightsProps } from './insights.tsx'

export const insightsRoutes = (app: App) =>
  new Elysia({ detail: { hide: true } }).get('/adventures/:id/insights', async ({ params, query }) => {
    const [id, turn] = [idFrom(params.id), idFrom(query.turn)]
    if (turn === 0) await app.prepareNextPrompt(id)
    return pageOrNotFound(() => <InsightsPage {...insightsProps(app, id, turn)} />)
  })

/** The prompt of a turn, or the next one; null where none can be laid out or was kept. */
export function promptOf(app: App, adventureId: number, turn: number): PromptDetails | null {
  try {
    return turn === 0 ? app.nextPrompt(adventureId) : app.pastPrompt(adventureId, turn)
  } catch (error) {
    if (error instanceof StoryError) return null
    throw error
  }
}

function insightsProps(app: App, adventureId: number, turn: number): InsightsProps {
  const { reader } = app
  return {
    adventureId,
    title: getAdventure(reader, adventureId).title,
    insights: insightsOf(reader, adventureId),
    rules: readRules(getWorld(reader, adventureId).schema),
    close: turn === 0 ? undefined : { actionId: turn, raw: rawResponse(reader, adventureId, turn) },
    prompt: promptOf(app, adventureId, turn),
  }
}

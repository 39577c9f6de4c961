import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { adventureView } from '../app/adventures.ts'
import type { Deps } from '../app/deps.ts'
import { applyImport, type ImportChoice, planImport } from '../app/import.ts'
import { cardsOf } from '../app/scenario/story-cards.ts'
import { getScenario } from '../db/tables/scenarios.ts'
import { questionsOf } from '../domain/beginning.ts'
import { StoryError } from '../domain/errors.ts'
import type { ImportPlan } from '../domain/portable/portable.ts'
import { titleFrom } from '../domain/interchange/read/read-file.ts'
import { objectFrom, textFrom } from '../http/body.ts'
import { adventureOut, cardOut, importPlanOut, scenarioOut } from './shapes.ts'
import { scenarioShown } from './shown.ts'

const CARDS = [{ title: 'The lamp', keys: 'lamp, light', value: 'It burns only for the honest.' }]

// A raw body has no shape to check, so the documentation is told of it here.
const file = (example: unknown) => ({
  requestBody: {
    required: true,
    content: {
      'application/json': { schema: { examples: [example] } },
      'application/octet-stream': { schema: { type: 'string' as const, format: 'binary' } },
    },
  },
})

const json = (example: unknown) => ({
  requestBody: { required: true, content: { 'application/json': { schema: { examples: [example] } } } },
})

const choice = () =>
  Type.Object({
    name: Type.Optional(Type.String({ description: 'The file’s name: a title for what has none' })),
    apply: Type.Optional(Type.String({ description: '1 writes what is chosen' })),
    scenarios: Type.Optional(
      Type.String({ description: 'Places in the plan’s list, as in 0,2; all without it' }),
    ),
    adventures: Type.Optional(Type.String({ description: 'The same for the adventures' })),
    scenario_id: Type.Optional(Type.String({ description: 'Whose the cards of a book of lore become' })),
    adventure_id: Type.Optional(Type.String({ description: 'The same for an adventure' })),
  })

/** Files from here and elsewhere: what they would bring, and bringing it. */
export const importApi = (deps: Deps) => {
  const { reader } = deps.library
  return (
    new Elysia({ detail: { tags: ['Files'] } })
      // The body is read as it is, whatever it calls itself.
      .onParse(async ({ request }) => new Uint8Array(await request.arrayBuffer()))
      .post(
        '/api/import',
        async ({ body, query, set }) => {
          const plan = await planImport(bytesIn(body), query.name ?? '')
          if (query.apply !== '1') return planOut(plan)
          const imported = applyImport(deps, plan, choiceFrom(query))
          set.status = 201
          return { ...planOut(plan), ...imported }
        },
        {
          query: choice(),
          response: { 200: importPlanOut(), 201: importPlanOut() },
          detail: { summary: 'Say what a file would bring, and with apply=1 bring it', ...file(CARDS) },
        },
      )
      .post(
        '/api/scenarios/import',
        async ({ body, set }) => {
          const plan = await planImport(bytesIn(body), '')
          if (plan.adventures.length > 0)
            throw new StoryError(
              'import_refused',
              'This file holds an adventure: send it to /api/adventures/import.',
            )
          const [id = 0] = applyImport(deps, plan, {
            scenarios: plan.scenarios.length > 0 ? [0] : [],
          }).scenario_ids
          set.status = 201
          return { scenario: scenarioShown(reader, getScenario(reader, id)), unmapped_keys: unmappedIn(plan) }
        },
        {
          response: {
            201: Type.Object({ scenario: scenarioOut(), unmapped_keys: Type.Array(Type.String()) }),
          },
          detail: {
            summary: 'Import a scenario',
            ...json({ format: 'ai-dnd-scenario-v1', title: 'The Lamp Road', prompt: 'Dusk falls.' }),
          },
        },
      )
      .post(
        '/api/adventures/import',
        async ({ body, set }) => {
          const plan = await planImport(bytesIn(body), '')
          if (plan.adventures.length === 0)
            throw new StoryError(
              'import_refused',
              'This file holds no adventure. Here go the formats inglenook-adventure, ai-dnd-adventure-v1 and ai-dnd-adventure-v2.',
            )
          const [id = 0] = applyImport(deps, plan, { scenarios: [], adventures: [0] }).adventure_ids
          set.status = 201
          return adventureView(reader, id)
        },
        {
          response: { 201: adventureOut() },
          detail: {
            summary: 'Import an adventure; of a branched one, the line on which its player stands',
            ...json({
              format: 'ai-dnd-adventure-v1',
              title: 'Lamp',
              actions: [{ index: 0, type: 'start', text: 'Dusk.' }],
            }),
          },
        },
      )
      .post(
        '/api/story-cards/import',
        async ({ body, set }) => {
          const bytes = bytesIn(body)
          const owner = ownerNamed(objectFrom(textFrom(bytes)))
          const plan = await planImport(bytes, '')
          if (plan.story_cards.length === 0)
            throw new StoryError(
              'import_refused',
              'A list of cards is expected under cards, storyCards or worldInfo.',
            )
          const { story_card_ids } = applyImport(deps, plan, { scenarios: [], adventures: [], owner })
          const known = new Set(story_card_ids)
          set.status = 201
          return cardsOf(deps, owner).filter(({ id }) => known.has(id))
        },
        {
          response: { 201: Type.Array(cardOut()) },
          detail: { summary: 'Add story cards to one owner', ...json({ scenario_id: 1, cards: CARDS }) },
        },
      )
  )
}

function bytesIn(body: unknown): Uint8Array {
  return body instanceof Uint8Array ? body : new Uint8Array()
}

function choiceFrom(query: Record<string, string | undefined>): ImportChoice {
  const { scenarios, adventures, name } = query
  const owner = ownerNamed({
    scenario_id: idIn(query, 'scenario_id'),
    adventure_id: idIn(query, 'adventure_id'),
  })
  return {
    ...(scenarios === undefined ? {} : { scenarios: placesIn(query, 'scenarios') }),
    ...(adventures === undefined ? {} : { adventures: placesIn(query, 'adventures') }),
    ...(Object.keys(owner).length === 0 ? {} : { owner }),
    ...(name === undefined ? {} : { title: titleFrom(name) }),
  }
}

function idIn(query: Record<string, string | undefined>, name: string): number | undefined {
  const text = query[name]
  if (text === undefined) return
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new StoryError('invalid', `${name} must be a number, and "${text.slice(0, 100)}" is none.`)
}

function placesIn(query: Record<string, string | undefined>, name: string): number[] {
  const text = query[name] ?? ''
  if (/^[\d,]{0,1000}$/.test(text)) return text.split(',').filter(Boolean).map(Number)
  throw new StoryError('invalid', `${name} must be places such as 0,2, and "${text.slice(0, 100)}" is none.`)
}

function ownerNamed(named: object): { scenario_id?: number; adventure_id?: number } {
  const { scenario_id, adventure_id } = named as Record<string, unknown>
  return {
    ...(typeof scenario_id === 'number' ? { scenario_id } : {}),
    ...(typeof adventure_id === 'number' ? { adventure_id } : {}),
  }
}

function planOut({ kind, scenarios, adventures, story_cards, receipt }: ImportPlan) {
  return {
    kind,
    scenarios: scenarios.map((scenario) => ({
      title: scenario.title,
      description: scenario.description,
      tags: scenario.tags,
      has_picture: scenario.image !== '',
      has_stats: scenario.stat_schema !== null,
      story_cards: scenario.story_cards.length,
      questions: questionsOf(scenario, scenario.story_cards),
    })),
    adventures: adventures.map((adventure) => ({
      title: adventure.title,
      scenario: adventure.scenario?.title ?? null,
      actions: adventure.actions.length,
      memories: adventure.memories.length,
      story_cards: adventure.story_cards.length,
    })),
    story_cards: story_cards.map(({ name, keys }) => ({ name, keys })),
    receipt,
  }
}

/** The keys at the top of a file that came to nothing. */
function unmappedIn({ receipt }: ImportPlan): string[] {
  const lost = [...receipt.dropped, ...receipt.refused].map(({ path }) => path)
  return lost.filter((path) => !/[.[…]/.test(path))
}

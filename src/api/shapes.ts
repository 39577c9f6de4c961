import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { adventureFields } from '../domain/adventure.ts'
import { scenarioFields } from '../domain/scenario.ts'
import { settingsFields } from '../domain/settings.ts'
import { cardFields } from '../domain/story-card.ts'

// Shapes of what is sent and answered. Each is made anew where it is used: the framework alters those it is given.

const id = () => Type.Integer()
const time = () => Type.String({ description: 'ISO 8601 in UTC' })
const nullable = <T extends ReturnType<typeof Type.Integer> | ReturnType<typeof Type.String>>(shape: T) =>
  Type.Union([shape, Type.Null()])

/** A row id in a path. Only plain digits: nothing that merely looks like a number is one. */
const pathId = () =>
  t
    .Transform(Type.String({ pattern: '^[0-9]{1,15}$' }))
    .Decode(Number)
    .Encode(String)

export const idParams = () => Type.Object({ id: pathId() })
export const memoryParams = () => Type.Object({ id: pathId(), memory: pathId() })
export const actionParams = () => Type.Object({ id: pathId(), action: pathId() })

export const problem = () =>
  Type.Object(
    {
      detail: Type.String({ description: 'A sentence for the player' }),
      code: Type.String({ description: 'Stable, for programs' }),
      errors: Type.Optional(Type.Array(Type.Object({ path: Type.String(), message: Type.String() }))),
    },
    { description: 'A refusal' },
  )

export const scenarioListItem = () =>
  Type.Object({
    id: id(),
    title: Type.String(),
    description: Type.String(),
    tags: Type.String(),
    icon: Type.String(),
    image_url: Type.String(),
    updated_at: time(),
  })

export const cardOut = () =>
  Type.Composite([
    cardFields(),
    Type.Object({ id: id(), scenario_id: nullable(Type.Integer()), adventure_id: nullable(Type.Integer()) }),
  ])

export const scenarioOut = () =>
  Type.Composite([
    scenarioFields(),
    Type.Object({
      id: id(),
      created_at: time(),
      updated_at: time(),
      story_cards: Type.Array(cardOut()),
      questions: Type.Array(Type.String(), { description: 'What is asked before a story begins' }),
      schema_warnings: Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
        description: 'What the author of the stat schema should look at; it is in use all the same',
      }),
    }),
  ])

export const adventureListItem = () =>
  Type.Object({
    id: id(),
    scenario_id: nullable(Type.Integer()),
    scenario_title: nullable(Type.String()),
    title: Type.String(),
    updated_at: time(),
    action_count: Type.Integer(),
    snippet: Type.String(),
    icon: Type.String(),
    image_url: Type.String(),
  })

export const actionOut = () =>
  Type.Object({
    id: id(),
    adventure_id: id(),
    index: Type.Integer(),
    type: Type.String(),
    text: Type.String(),
    reasoning: nullable(Type.String()),
    world_changes: Type.Array(Type.Unknown()),
    not_recorded: Type.Optional(
      Type.String({ description: 'Why what the passage changed is not recorded, when it is not' }),
    ),
    variant_count: Type.Integer(),
    variant_index: Type.Integer(),
    cut: nullable(Type.String({ description: '"length" or "stopped" when the passage ends early' })),
    waiting: Type.Boolean({ description: 'The newest words are the player’s and have no answer yet' }),
    created_at: time(),
  })

const pageKeys = () => ({ actions: Type.Array(actionOut()), total: Type.Integer(), has_more: Type.Boolean() })

export const actionPage = () => Type.Object(pageKeys())

export const undone = () =>
  Type.Object({
    ...pageKeys(),
    typed: Type.Union([Type.Object({ type: Type.String(), text: Type.String() }), Type.Null()], {
      description: 'The player’s words that went with the turn',
    }),
  })

export const adventureOut = () =>
  Type.Composite([
    adventureFields(),
    Type.Object({
      id: id(),
      scenario_id: nullable(Type.Integer()),
      created_at: time(),
      updated_at: time(),
      action_count: Type.Integer(),
      story_cards: Type.Array(cardOut()),
      actions: Type.Array(actionOut(), { description: 'The newest actions, oldest first' }),
    }),
  ])

export const memoryOut = () =>
  Type.Object({
    id: id(),
    adventure_id: id(),
    text: Type.String(),
    pinned: Type.Boolean(),
    forgotten: Type.Boolean(),
    embedded: Type.Boolean(),
    use_count: Type.Integer(),
    last_used_at: nullable(Type.String()),
    source_start: nullable(Type.Integer()),
    source_end: nullable(Type.Integer()),
    stale: Type.Boolean({ description: 'A passage that it tells of has changed; it is made anew' }),
    created_at: time(),
  })

export const variantOut = () =>
  Type.Object({
    index: Type.Integer(),
    text: Type.String(),
    reasoning: nullable(Type.String()),
    created_at: nullable(Type.String()),
    active: Type.Boolean(),
  })

export const searchOut = () =>
  Type.Object({
    items: Type.Array(
      Type.Object({
        kind: Type.String(),
        id: id(),
        adventure_id: nullable(Type.Integer()),
        scenario_id: nullable(Type.Integer()),
        title: Type.String({ description: 'Its own, or that of the story it belongs to' }),
        snippet: Type.Array(Type.Object({ text: Type.String(), hit: Type.Boolean() }), {
          description: 'Plain text in pieces; a hit is what was looked for',
        }),
        href: Type.String({ description: 'The page that shows it' }),
      }),
    ),
    next: Type.Union([Type.Integer(), Type.Null()], {
      description: '`before` of the next page; null on the last',
    }),
  })

export const settingsOut = () => Type.Composite([settingsFields(), Type.Object({ practice: Type.Boolean() })])

export const tested = () =>
  Type.Union([
    Type.Object({
      ok: Type.Literal(true),
      models: Type.Array(Type.String()),
      advice: Type.Optional(Type.String({ description: 'How the address was mended' })),
    }),
    Type.Object({ ok: Type.Literal(false), detail: Type.String(), code: Type.String() }),
  ])

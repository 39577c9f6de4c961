import { Kind, type TObject, type TSchema, Type } from '@sinclair/typebox'
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
      clashes: Type.Optional(
        Type.Array(Type.Object({ field: Type.String(), stored: Type.String(), sent: Type.String() }), {
          description: 'With changed_elsewhere: what is stored now, and what was sent',
        }),
      ),
    },
    { description: 'A refusal' },
  )

// What is stored is shown as it is: an older library may hold longer texts and other numbers than we take, and answers may
// make a text longer than it was written.
const stored = <T extends TObject>(fields: T): T =>
  Type.Object(
    Object.fromEntries(Object.entries(fields.properties).map(([name, shape]) => [name, unbounded(shape)])),
  ) as TSchema as T

function unbounded(shape: TSchema): TSchema {
  if (shape[Kind] === 'Text') return Type.String()
  const { minimum: _, maximum: __, anyOf, ...free } = shape
  return Array.isArray(anyOf) ? { ...free, anyOf: anyOf.map(unbounded) } : (free as TSchema)
}

/** What a change may say of the fields that it saw: where one is no longer so, the change is refused with both. */
export const wasFields = () =>
  Type.Object({
    was: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'The fields as they were read' }),
    ),
  })

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
    stored(cardFields()),
    Type.Object({ id: id(), scenario_id: nullable(Type.Integer()), adventure_id: nullable(Type.Integer()) }),
  ])

export const scenarioOut = () =>
  Type.Composite([
    stored(scenarioFields()),
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

/** Where a story stands in the library. */
export const shelf = () =>
  Type.Union([Type.Literal('open'), Type.Literal('pinned'), Type.Literal('archived')])

export const adventureListItem = () =>
  Type.Object({
    id: id(),
    scenario_id: nullable(Type.Integer()),
    scenario_title: nullable(Type.String()),
    title: Type.String(),
    tags: Type.String(),
    shelf: shelf(),
    created_at: time(),
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
    stored(adventureFields()),
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

const receiptLines = (description: string) =>
  Type.Array(Type.Object({ path: Type.String(), note: Type.String() }), { description })

export const importPlanOut = () =>
  Type.Object({
    kind: Type.String({ description: 'The format that the file was recognised as' }),
    scenarios: Type.Array(
      Type.Object({
        title: Type.String(),
        description: Type.String(),
        tags: Type.String(),
        has_picture: Type.Boolean(),
        has_stats: Type.Boolean(),
        story_cards: Type.Integer(),
        questions: Type.Array(Type.String()),
      }),
    ),
    adventures: Type.Array(
      Type.Object({
        title: Type.String(),
        scenario: nullable(Type.String()),
        actions: Type.Integer(),
        memories: Type.Integer(),
        story_cards: Type.Integer(),
      }),
    ),
    story_cards: Type.Array(Type.Object({ name: Type.String(), keys: Type.String() }), {
      description: 'Cards that come without an owner',
    }),
    receipt: Type.Object(
      {
        taken: receiptLines('Taken over as it is'),
        changed: receiptLines('Taken over, but not as it was'),
        dropped: receiptLines('Left out'),
        refused: receiptLines('Left out because it cannot be used'),
      },
      { description: 'What becomes of every key of the file; each is in exactly one list' },
    ),
    scenario_ids: Type.Optional(Type.Array(id())),
    adventure_ids: Type.Optional(Type.Array(id())),
    story_card_ids: Type.Optional(Type.Array(id())),
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

export const settingsOut = () =>
  Type.Composite([stored(settingsFields()), Type.Object({ practice: Type.Boolean() })])

export const tested = () =>
  Type.Union([
    Type.Object({
      ok: Type.Literal(true),
      models: Type.Array(Type.String()),
      advice: Type.Optional(Type.String({ description: 'How the address was mended' })),
    }),
    Type.Object({ ok: Type.Literal(false), detail: Type.String(), code: Type.String() }),
  ])

const place = () => Type.Object({ at: Type.String(), name: Type.String() })

export const answersOut = () =>
  Type.Object({
    placeholders: Type.Record(Type.String(), Type.String()),
    questions: Type.Array(Type.Object({ name: Type.String(), places: Type.Array(place()) }), {
      description: 'What the scenario asks that still matters, with every place that asks it',
    }),
    needed: Type.Array(Type.String(), { description: 'Questions without an answer' }),
  })

const names = (description: string) => Type.Array(Type.String(), { description })

export const refreshPlanOut = () =>
  Type.Object({
    scenario_id: id(),
    scenario_title: Type.String(),
    has_changes: Type.Boolean(),
    fields: Type.Record(Type.String(), Type.Object({ old: Type.String(), new: Type.String() })),
    cards: Type.Object({ added: names('By name'), updated: names('By name'), removed: names('By name') }),
    world_state: Type.Object({
      added: names('Paths that begin at their initial value'),
      removed: names('Paths that are dropped'),
      changed: Type.Array(
        Type.Object({ path: Type.String(), what: Type.String(), old: Type.Unknown(), new: Type.Unknown() }),
        {
          description:
            'Definitions that differ, by key, and live values that no longer fit, by what is wrong',
        },
      ),
    }),
    placeholders_needed: names('Questions without an answer'),
    items: Type.Array(
      Type.Object({
        kind: Type.String({ description: '"field", "card", "stat", "flag", "milestone", "npc" or "world"' }),
        ref: Type.String({ description: 'Names the item in `skip`' }),
        name: Type.String(),
        old: Type.Unknown({ description: 'null for what is new' }),
        new: Type.Unknown({ description: 'null for what goes' }),
      }),
      { description: 'Everything that would change, one by one' },
    ),
  })

import { type Static, Type } from '@sinclair/typebox'
import { cutTo } from '../../lib/text.ts'
import { nullable } from '../../lib/typebox.ts'
import { type ComparedCard, compareCards } from '../cards/compare-cards.ts'
import { isDisabled } from '../cards/keys.ts'
import { openingsOf } from '../scenario.ts'
import { questionsOf } from '../start-from-scenario.ts'
import type { CardFields } from '../story-card.ts'
import type {
  FileKind,
  ImportPlan,
  PortableActions,
  PortableAdventure,
  PortableScenario,
} from './portable.ts'
import { countLeft, Receipt } from './receipt.ts'

const Ids = Type.Optional(
  Type.Array(Type.Integer(), { description: 'What was created; after an import only' }),
)

const IsDuplicate = Type.Boolean({
  description: 'An equal one is in the library, or in another of the files',
})

const IsAlternative = Type.Boolean({
  description: 'Another form of what the file brings, imported only if it is chosen',
})

const Counted = {
  story_cards: Type.Integer(),
  disabled_cards: Type.Integer({ description: 'How many of these cards are switched off' }),
}

const Shown = {
  image: Type.String({
    description: 'The cover as a data URI; only the first covers of a preview are shown',
  }),
  opening: Type.String({ description: 'How its text begins' }),
}

const FileFate = Type.Object({
  name: Type.String(),
  kind: nullable(Type.Unsafe<FileKind>(Type.String({ description: 'Its format; null if it is refused' }))),
  scenarios: Type.Integer({ description: 'How many it becomes' }),
  adventures: Type.Integer(),
  story_cards: Type.Integer({ description: 'Its cards without an owner' }),
  left: Type.Integer({ description: 'How many things in it have no place here' }),
  refusal: nullable(Type.String({ description: 'Why it cannot be imported' })),
})

/** Fate of a file of an upload. */
export type FileFate = Static<typeof FileFate>

/** Additions of a file to the library, and after an import their ids. */
export const ImportPreview = Type.Object({
  kind: Type.Unsafe<FileKind>(Type.String({ description: 'The format that the file was recognized as' })),
  scenarios: Type.Array(
    Type.Object({
      title: Type.String(),
      description: Type.String(),
      tags: Type.String(),
      has_picture: Type.Boolean(),
      has_stats: Type.Boolean(),
      ...Shown,
      ...Counted,
      openings: Type.Integer({ description: 'How many a player can choose from' }),
      questions: Type.Array(Type.String()),
      is_duplicate: IsDuplicate,
      is_alternative: IsAlternative,
    }),
  ),
  adventures: Type.Array(
    Type.Object({
      title: Type.String(),
      scenario: nullable(Type.String()),
      actions: Type.Integer(),
      memories: Type.Integer(),
      ...Shown,
      ...Counted,
      is_duplicate: IsDuplicate,
      is_alternative: IsAlternative,
    }),
  ),
  story_cards: Type.Array(
    Type.Object({
      name: Type.String(),
      keys: Type.String(),
      is_duplicate: Type.Boolean({ description: 'An equal one is there already' }),
      namesake: nullable(
        Type.Object(
          { id: Type.Integer(), keys: Type.String() },
          { description: 'The card of the same name that is there and says something else' },
        ),
      ),
    }),
    {
      description:
        'Cards that come without an owner, compared with those of the scenario or adventure that is named',
    },
  ),
  files: Type.Array(FileFate, { description: 'Each file, and what becomes of it' }),
  rejected_files: Type.Array(Type.Object({ reason: Type.String(), names: Type.Array(Type.String()) }), {
    description: 'Those of several files that cannot be imported, by their reasons',
  }),
  receipt: Receipt,
  scenario_ids: Ids,
  adventure_ids: Ids,
  story_card_ids: Ids,
})

export type ImportPreview = Static<typeof ImportPreview>

interface Known {
  hasScenario: (scenario: PortableScenario) => boolean
  hasAdventure: (adventure: PortableAdventure<PortableActions>) => boolean
}

export function previewOf(
  { kind, scenarios, adventures, story_cards, receipt, alternative }: ImportPlan<PortableActions>,
  known: Known,
): ImportPreview {
  return {
    kind,
    scenarios: scenarios.map((scenario) => ({
      title: scenario.title,
      description: scenario.description,
      tags: scenario.tags,
      has_picture: scenario.image !== '',
      has_stats: scenario.stat_schema !== null,
      image: shownImage(scenario.image),
      opening: beginningOf(scenario.prompt),
      openings: openingsOf(scenario).length,
      ...countsOf(scenario.story_cards),
      questions: questionsOf(scenario, scenario.story_cards),
      is_duplicate: known.hasScenario(scenario),
      is_alternative: alternative === 'scenarios',
    })),
    adventures: adventures.map((adventure) => ({
      title: adventure.title,
      scenario: adventure.scenario?.title ?? null,
      actions: adventure.actions.length,
      memories: adventure.memories.length,
      image: shownImage(adventure.scenario?.image ?? ''),
      opening: beginningOf(openingOf(adventure.actions)),
      ...countsOf(adventure.story_cards),
      is_duplicate: known.hasAdventure(adventure),
      is_alternative: alternative === 'adventures',
    })),
    story_cards: previewOfCards(compareCards(story_cards, [])),
    files: [],
    rejected_files: [],
    receipt,
  }
}

/** Fate of a file that is imported. */
export function fateOf(
  name: string,
  { kind, scenarios, adventures, story_cards, receipt }: ImportPreview,
): FileFate {
  const countOf = (items: readonly { is_alternative: boolean }[]) =>
    items.filter(({ is_alternative }) => !is_alternative).length
  return {
    name,
    kind,
    scenarios: countOf(scenarios),
    adventures: countOf(adventures),
    story_cards: story_cards.length,
    left: countLeft(receipt),
    refusal: null,
  }
}

/** Fate of a file that is refused. */
export function refusedFate(name: string, refusal: string): FileFate {
  return { name, kind: null, scenarios: 0, adventures: 0, story_cards: 0, left: 0, refusal }
}

export function previewOfCards(cards: readonly ComparedCard[]): ImportPreview['story_cards'] {
  return cards.map(({ card: { name, keys }, is_duplicate, namesake }) => ({
    name,
    keys,
    is_duplicate,
    namesake: namesake && { id: namesake.id, keys: namesake.keys },
  }))
}

const BEGINNING = 300

function beginningOf(text: string): string {
  const trimmed = text.trim()
  const beginning = cutTo(trimmed, BEGINNING)
  return beginning.length < trimmed.length ? `${beginning.trimEnd()}…` : beginning
}

// Actions may be read a page at a time: only the first one is wanted.
function openingOf(actions: PortableActions): string {
  for (const { text } of actions) return text
  return ''
}

/** '' for a picture that is still to be scaled. */
function shownImage(image: string): string {
  return image.startsWith('data:image/') ? image : ''
}

function countsOf(cards: readonly Pick<CardFields, 'keys'>[]) {
  return { story_cards: cards.length, disabled_cards: cards.filter(({ keys }) => isDisabled(keys)).length }
}

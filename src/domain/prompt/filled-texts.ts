import type { Adventure } from '../adventure.ts'
import { PLOT_FIELDS, plotOf } from '../scenario.ts'
import { filledTexts, textsIn } from '../start-from-scenario.ts'
import type { StoryCard } from '../story-card.ts'
import {
  type Answers,
  fillPlaceholders,
  fillWithNames,
  mayAsk,
  nameAsAnswer,
  questionsIn,
} from '../text/placeholder.ts'
import type { Timing } from '../timing/timing.ts'
import type { StatSchema, WorldState } from '../world/state.ts'

// The texts of a story as the model is sent them: none shows a placeholder.

export function filledPlot(adventure: Adventure, answers: Answers): Adventure {
  if (!PLOT_FIELDS.some((field) => mayAsk(adventure[field]))) return adventure
  return { ...adventure, ...plotOf((field) => fillWithNames(adventure[field], answers)) }
}

/** Fills keys, too, because these are what triggers a card. */
export function filledCards(cards: readonly StoryCard[], answers: Answers): StoryCard[] {
  return cards.map((card) => {
    const { name, keys, entry, timing } = card
    if (![name, keys, entry, ...textsIn(timing)].some(mayAsk)) return card
    return {
      ...card,
      name: fillWithNames(name, answers),
      keys: fillWithNames(keys, answers),
      entry: fillWithNames(entry, answers),
      ...(timing ? { timing: filledTexts(timing, (text) => fillWithNames(text, answers)) as Timing } : {}),
    }
  })
}

/** A passage, as the model is sent it: only the opening is an author's text. */
export function filledPassage<P extends { type: string; text: string }>(
  passage: P,
  answers: () => Answers,
): P {
  if (passage.type !== 'start' || !mayAsk(passage.text)) return passage
  return { ...passage, text: fillWithNames(passage.text, answers()) }
}

export function filledSchemaForModel(schema: StatSchema, answers: Answers): StatSchema {
  if (!textsIn(schema).some(mayAsk)) return schema
  return filledTexts(schema, (text) => fillWithNames(text, answers)) as StatSchema
}

/** A world state, as the model is sent it. Only what its schema asks is filled: other texts are the story's own. */
export function filledState(state: WorldState, schema: StatSchema, answers: Answers): WorldState {
  if (!textsIn(state).some(mayAsk)) return state
  const names = questionsIn(textsIn(schema)).map((name) => [name, nameAsAnswer(name)])
  const known = { ...Object.fromEntries(names), ...answers }
  return filledTexts(state, (text) => fillPlaceholders(text, known)) as WorldState
}

import { canMove, modelFitted, modelJudged, pathMeant, rulesOf, type Verdict } from './referee-model.ts'
import {
  type Fields,
  isLine,
  type ModelVariant,
  newest,
  type Passage,
  type Story,
  type Why,
} from './story-model.ts'

/**
 * The model of second calls (docs/rules.md 4.12): the passage is stored at once with the old world state, and its changes are
 * added later, unless the story has changed in between.
 */

/** One change in a reply of the language model: `by` for numbers, `to` for everything else. */
export interface Edit {
  because: string
  path: string
  by?: unknown
  to?: unknown
}

/** Starts the second call for the newest passage. False if no value could have changed, so that none is made. */
export function ask(story: Story): boolean {
  const passage = newest(story)
  const variant = passage.variants[passage.live]
  if (!variant?.counted) return false
  if (!canMove(modelFitted(passage.before, story.schema).model, story.schema, passage.index)) return false
  variant.why = 'the story went on'
  story.asked = variant
  return true
}

/** Applies the reply to the second call, unless that was cancelled. */
export function record(story: Story, said: readonly Edit[] | Why): void {
  const variant = story.asked
  const passage = story.passages.findLast(({ type }) => type === 'ai')
  story.asked = null
  if (variant === null || passage === undefined) return
  if (typeof said === 'string') variant.why = said
  else take(story, passage, variant, said)
  story.world = variant.counted?.world ?? story.world
  // A line that the player sent meanwhile starts from the new world state.
  for (const line of story.passages.slice(story.passages.indexOf(passage) + 1))
    if (isLine(line)) line.before = story.world
}

function take(
  { schema }: Story,
  { before, index }: Passage,
  variant: ModelVariant,
  edits: readonly Edit[],
): void {
  const refused = edits.flatMap((edit) => faultOf(edit, variant.text, schema) ?? [])
  if (edits.length > 0 && refused.length === edits.length) {
    variant.why = 'not told'
    variant.counted?.verdicts.push(...refused)
    return
  }
  const good = edits.filter((edit) => faultOf(edit, variant.text, schema) === null)
  const delta: Fields = Object.fromEntries(
    good.map((edit) => [pathMeant(edit.path, schema) ?? edit.path, 'by' in edit ? edit.by : edit.to]),
  )
  const { model, verdicts } = modelJudged(modelFitted(before, schema).model, schema, delta, index)
  variant.why = null
  variant.counted = { world: model, verdicts: [...verdicts, ...refused] }
}

/** A change needs a value and a quote of the passage. */
function faultOf(edit: Edit, text: string, schema: Fields): Verdict | null {
  const meant = pathMeant(edit.path, schema)
  const path = meant ?? edit.path
  const isNumber = meant !== null && rulesOf(schema).get(meant)?.kind === 'number'
  const asked = 'by' in edit ? edit.by : edit.to
  if (isNumber && !('by' in edit)) return { path, verdict: 'refused', asked: null, reason: 'no change given' }
  if (edit.because !== '' && text.includes(edit.because)) return null
  return { path, verdict: 'refused', asked: plain(asked), reason: 'not told' }
}

function plain(asked: unknown): unknown {
  return typeof asked === 'string' ? [...asked].slice(0, 120).join('') : asked
}

/** Why a passage changed nothing, as shown to the player; null if it changed something. */
export function whyNothing({ variants, live }: Passage): Why | null {
  const variant = variants[live]
  const hasMoved = variant?.counted?.verdicts.some(
    ({ verdict }) => verdict !== 'refused' && verdict !== 'manual',
  )
  return hasMoved ? null : (variant?.why ?? null)
}

import {
  canMove,
  modelFitted,
  modelJudged,
  modelSet,
  pathMeant,
  rulesOf,
  type Verdict,
} from './referee-model.ts'
import {
  counts,
  endAsking,
  type Fields,
  isLine,
  type ModelVariant,
  newest,
  type Passage,
  type Story,
  type Why,
} from './story-model.ts'

/**
 * The model of the recorder: the passage is stored at once with the old world state, and its changes are added later, unless
 * the story has changed in between.
 */

/** One change in an answer: `by` for numbers, `to` for everything else. */
export interface Edit {
  because: string
  path: string
  by?: unknown
  to?: unknown
}

/** Asks about the newest passage. False if no value could have changed, so that nobody is asked. */
export function ask(story: Story): boolean {
  const passage = newest(story)
  const variant = passage.variants[passage.live]
  if (!variant?.counted) return false
  if (!canMove(modelFitted(passage.before, story.schema).model, story.schema, passage.index)) return false
  variant.why = 'the story went on'
  story.asked = variant
  return true
}

/** Applies the answer, unless the recording was cancelled. */
export function record(story: Story, said: readonly Edit[] | Why): void {
  const variant = story.asked
  const passage = story.passages.findLast(({ type }) => type === 'ai')
  story.asked = null
  if (variant === null || passage === undefined) return
  if (typeof said === 'string') variant.why = said
  else take(story, passage, variant, said)
  goOnFrom(story, passage, variant)
}

/** Applies an answer without changes about the newest narration, which was interrupted and kept. */
export function recordKept(story: Story): void {
  const passage = story.passages.findLast(({ type }) => type === 'ai')
  const variant = passage?.variants[passage.live]
  if (!passage || !variant?.counted) return
  if (canMove(modelFitted(passage.before, story.schema).model, story.schema, passage.index))
    take(story, passage, variant, [])
}

/** Records the live version of the newest narration again. The code of the refusal, or null. */
export function recordAgain(story: Story, said: readonly Edit[] | Why): string | null {
  const { schema, passages } = story
  if (!counts(schema)) return 'no_world_state'
  const passage = passages.findLast((one) => !isLine(one))
  const variant = passage?.variants[passage.live]
  if (passage?.type !== 'ai' || variant === undefined) return 'not_last'
  endAsking(story)
  const start = modelFitted(passage.before, schema).model
  const answer = canMove(start, schema, passage.index) ? said : []
  if (typeof answer === 'string' && variant.answered) return null
  const manual = (variant.counted?.verdicts ?? []).filter(({ verdict }) => verdict === 'manual')
  if (typeof answer === 'string') {
    variant.why = answer
    variant.counted = { world: start, verdicts: [] }
  } else take(story, passage, variant, answer)
  setAgain(story, variant, manual)
  goOnFrom(story, passage, variant)
  return null
}

function setAgain({ schema }: Story, variant: ModelVariant, manual: readonly Verdict[]): void {
  if (variant.counted === null) return
  const { model, verdicts } = modelSet(variant.counted.world, schema, valuesOf(manual))
  variant.counted = { world: model, verdicts: [...variant.counted.verdicts, ...verdicts] }
}

function valuesOf(manual: readonly Verdict[]): Fields {
  return Object.fromEntries(manual.map(({ path, asked }) => [path, asked]))
}

/** Lines after a passage start from its world, with what was set by hand there. */
function goOnFrom(story: Story, passage: Passage, { counted }: ModelVariant): void {
  if (counted === null) return
  story.world = counted.world
  for (const line of story.passages.slice(story.passages.indexOf(passage) + 1)) {
    line.before = story.world
    const { model, verdicts } = modelSet(story.world, story.schema, valuesOf(line.byHand))
    line.byHand = verdicts
    story.world = model
  }
}

function take(
  { schema }: Story,
  { before, index }: Passage,
  variant: ModelVariant,
  edits: readonly Edit[],
): void {
  const refused = edits.flatMap((edit) => faultOf(edit, variant.text, schema) ?? [])
  const good = edits.filter((edit) => faultOf(edit, variant.text, schema) === null)
  const delta: Fields = Object.fromEntries(
    good.map((edit) => [pathMeant(edit.path, schema) ?? edit.path, 'by' in edit ? edit.by : edit.to]),
  )
  const { model, verdicts } = modelJudged(modelFitted(before, schema).model, schema, delta, index)
  const all = [...verdicts, ...refused]
  variant.answered = true
  variant.why = all.length > 0 && all.every(({ verdict }) => verdict === 'refused') ? 'not told' : null
  variant.counted = { world: model, verdicts: all }
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

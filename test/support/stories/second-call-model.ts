import { canMove, modelFitted, modelJudged, pathMeant, rulesOf, type Told } from './referee-model.ts'
import {
  type Attempt,
  type Fields,
  isLine,
  newest,
  type Passage,
  type Story,
  type Why,
} from './story-model.ts'

/**
 * What the specification tells of passages whose changes are asked for by themselves: the passage is kept at once, with the
 * world as it was, and what it changed is added later, if nobody has changed the story in between.
 */

/** One change as a model names it: `by` how far a number moves, `to` what anything else becomes. */
export interface Edit {
  because: string
  path: string
  by?: unknown
  to?: unknown
}

/** The newest passage told too little. False if nothing could have changed, so that nobody is asked. */
export function ask(story: Story): boolean {
  const passage = newest(story)
  const attempt = passage.attempts[passage.live]
  if (!attempt?.counted) return false
  if (!canMove(modelFitted(passage.before, story.schema).model, story.schema, passage.index)) return false
  attempt.why = 'the story went on'
  story.asked = attempt
  return true
}

/** The model has named the changes, or not. Nothing comes of it if the asking has ended. */
export function record(story: Story, said: readonly Edit[] | Why): void {
  const attempt = story.asked
  const passage = story.passages.findLast(({ type }) => type === 'ai')
  story.asked = null
  if (attempt === null || passage === undefined) return
  if (typeof said === 'string') attempt.why = said
  else take(story, passage, attempt, said)
  story.world = attempt.counted?.world ?? story.world
  // What the player has said in the meantime, was said in the world as it is now.
  for (const line of story.passages.slice(story.passages.indexOf(passage) + 1))
    if (isLine(line)) line.before = story.world
}

function take({ schema }: Story, { before, index }: Passage, attempt: Attempt, edits: readonly Edit[]): void {
  const refused = edits.flatMap((edit) => faultOf(edit, attempt.text, schema) ?? [])
  if (edits.length > 0 && refused.length === edits.length) {
    attempt.why = 'not told'
    attempt.counted?.told.push(...refused)
    return
  }
  const good = edits.filter((edit) => faultOf(edit, attempt.text, schema) === null)
  const delta: Fields = Object.fromEntries(
    good.map((edit) => [pathMeant(edit.path, schema) ?? edit.path, 'by' in edit ? edit.by : edit.to]),
  )
  const { model, told } = modelJudged(modelFitted(before, schema).model, schema, delta, index)
  attempt.why = null
  attempt.counted = { world: model, told: [...told, ...refused] }
}

/** A change has to say how far or to what, and has to quote the passage. */
function faultOf(edit: Edit, text: string, schema: Fields): Told | null {
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

/** Why a passage counts for nothing, as the player is told; null when something of it counts. */
export function whyNothing({ attempts, live }: Passage): Why | null {
  const attempt = attempts[live]
  const hasMoved = attempt?.counted?.told.some(({ verdict }) => verdict !== 'refused' && verdict !== 'manual')
  return hasMoved ? null : (attempt?.why ?? null)
}

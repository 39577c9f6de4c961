import type { Cut } from '../../action.ts'
import { UNTITLED_ADVENTURE } from '../../adventure.ts'
import { LIMITS } from '../../limits.ts'
import type { Answers } from '../../placeholder.ts'
import { cutTo } from '../../../lib/text.ts'
import type { Variant, VariantWorld } from '../../variant.ts'
import { isObject } from '../../../lib/objects.ts'
import type { CarriedAction, CarriedAdventure, CarriedCard, CarriedSummary } from '../../portable/portable.ts'
import { MOST_CARDS } from './cards.ts'
import { pickMemories } from './memories.ts'
import { judgeHead, ownCard, ownScenarioFrom } from './own-scenario.ts'
import { MOST_PASSAGES } from './passages.ts'
import { pick, pickCount, pickFlag, pickList, pickObject, pickText, pickTime } from './pick.ts'
import { type Format, planOf } from './plan.ts'
import { Reading } from '../../../formats/shared/receipt.ts'
import { isRecord } from '../../../formats/shared/world-record.ts'
import { refused } from '../../../formats/shared/import-refused.ts'
import { pickPlot } from './scenario-keys.ts'
import { pickSchema } from './schema.ts'

/** Our own file of an adventure, complete. */
export const ownAdventure: Format = {
  kind: 'inglenook-adventure',
  fits: (file) => isObject(file) && file.format === 'inglenook-adventure',
  read: (file) => {
    const reading = new Reading()
    if (!isObject(file)) throw refused('This is no adventure.')
    judgeHead(reading, file)
    return planOf('inglenook-adventure', reading, file, { adventures: [adventureFrom(reading, file)] })
  },
}

function adventureFrom(reading: Reading, file: Record<string, unknown>): CarriedAdventure {
  const scenario = pickObject(reading, file, ['scenario'], 'The scenario that it began from')
  if (scenario) reading.open(scenario)
  const cards = pickList(reading, file, ['story_cards'], 'Story cards', MOST_CARDS)
  const actions = pickList(reading, file, ['actions'], 'Passages', MOST_PASSAGES)
  const own = { limit: LIMITS.name }
  const read = (actions?.items ?? []).map(({ item }) => actionFrom(reading, item))
  const title = pickText(reading, file, ['title'], 'Title', own)
  const summary = pickSummary(reading, file, read.length)
  return {
    title: typeof file.title === 'string' ? title : UNTITLED_ADVENTURE,
    ...pickPlot(reading, file),
    story_summary: pickText(reading, file, ['story_summary'], 'Summary'),
    ...(summary === undefined ? {} : { summary }),
    auto_summarize: pickFlag(reading, file, ['auto_summarize'], 'Whether it is summed up', false),
    memory_bank_enabled: pickFlag(reading, file, ['memory_bank_enabled'], 'Whether memories are made', false),
    scenario: scenario && ownScenarioFrom(reading, scenario),
    placeholders: pickAnswers(reading, file),
    stat_schema: pickSchema(reading, file, ['stat_schema']),
    world_state: pickObject(reading, file, ['world_state'], 'The world as it stands') ?? {},
    story_cards: (cards?.items ?? []).map(({ item }) => cardFrom(reading, item)),
    actions: read,
    memories: pickMemories(reading, file, read.length),
  }
}

function pickSummary(
  reading: Reading,
  file: Record<string, unknown>,
  passages: number,
): CarriedSummary | null | undefined {
  if (file.summary === null) {
    reading.judge('taken', file, 'summary', 'How far the summary reaches: nowhere.')
    return null
  }
  return pick(reading, file, ['summary'], 'How far the summary reaches', (value, key) => {
    if (!isObject(value)) return undefined
    const { covers, made_by } = value
    const isSound = Number.isSafeInteger(covers) && (made_by === 'model' || made_by === 'player')
    if (!isSound) return undefined
    reading.judge('taken', file, key, 'How far the summary reaches.')
    return { covers: Math.min(Math.max(-1, covers as number), passages - 1), made_by }
  })
}

function cardFrom(reading: Reading, item: Record<string, unknown>): CarriedCard {
  const source = pick(reading, item, ['source_ref'], 'Where the card came from', (value, key) => {
    if (typeof value !== 'string' || !/^(card:\d{1,15}|npc:.{1,60})$/su.test(value)) return undefined
    reading.judge('taken', item, key, 'Where the card came from.')
    return value
  })
  return { ...ownCard(reading, item), source_ref: source ?? null }
}

function actionFrom(reading: Reading, item: Record<string, unknown>): CarriedAction {
  const type = pickText(reading, item, ['type'], 'How it came about', { limit: LONGEST_TYPE }) || 'story'
  const text = pickText(reading, item, ['text'], 'Words', { limit: Infinity })
  const reasoning = pickReasoning(reading, item)
  const created_at = pickTime(reading, item, ['created_at'], 'When it was told')
  const cut = pickCut(reading, item)
  const variants = pickVariants(reading, item)
  const last = Math.max(0, variants.length - 1)
  const variant_index = Math.min(last, pickCount(reading, item, ['variant_index'], 'Live attempt') ?? 0)
  const live = variants[variant_index]
  const mark = pickText(reading, item, ['mark'], 'Its mark', { limit: LIMITS.name })
  return {
    type,
    // What is shown is what the live attempt says.
    text: live?.text ?? text,
    reasoning: live ? live.reasoning : reasoning,
    variants,
    variant_index,
    cut: live ? (live.cut ?? null) : cut,
    world_delta: pickRecord(reading, item, 'world_delta', 'What it changed'),
    world_state_before: pickObject(reading, item, ['world_state_before'], 'The world before it'),
    created_at,
    ...(typeof item.mark === 'string' ? { mark } : {}),
  }
}

const LONGEST_TYPE = 20

function pickVariants(reading: Reading, item: Record<string, unknown>): Variant[] {
  const found = pickList(reading, item, ['variants'], 'Attempts', MOST_PASSAGES)
  return (found?.items ?? []).map(({ item: attempt }) => variantFrom(reading, attempt))
}

function variantFrom(reading: Reading, item: Record<string, unknown>): Variant {
  const variant: Variant = {
    text: pickText(reading, item, ['text'], 'Words', { limit: Infinity }),
    reasoning: pickReasoning(reading, item),
    created_at: pickTime(reading, item, ['created_at'], 'When it was told'),
  }
  const raw = pickText(reading, item, ['raw_output'], 'The reply as the model wrote it', { limit: Infinity })
  if (typeof item.raw_output === 'string') variant.raw_output = raw
  if (Object.hasOwn(item, 'cut')) variant.cut = pickCut(reading, item)
  if (Object.hasOwn(item, 'edited')) variant.edited = pickFlag(reading, item, ['edited'], 'Rewritten', false)
  const world = pick(reading, item, ['world_state'], 'What it changed', (value, key) => {
    const kept = variantWorld(value)
    if (kept !== undefined) reading.judge('taken', item, key, 'What it changed.')
    return kept
  })
  if (world) variant.world_state = world
  return variant
}

function variantWorld(value: unknown): VariantWorld | undefined {
  if (!isObject(value) || !isObject(value.state)) return undefined
  const { delta, report, state } = value
  if (report !== undefined && report !== null && !isRecord(report)) return undefined
  return { delta: isObject(delta) ? delta : {}, report: report ?? null, state }
}

function pickRecord(
  reading: Reading,
  item: Record<string, unknown>,
  name: string,
  label: string,
): Record<string, unknown> | null {
  const record = pick(reading, item, [name], label, (value, key) => {
    if (!isRecord(value)) return undefined
    reading.judge('taken', item, key, `${label}.`)
    return value
  })
  return record ?? null
}

function pickReasoning(reading: Reading, item: Record<string, unknown>): string | null {
  const reasoning = pickText(reading, item, ['reasoning'], 'What the model thought', { limit: Infinity })
  return typeof item.reasoning === 'string' ? reasoning : null
}

function pickCut(reading: Reading, item: Record<string, unknown>): Cut | null {
  const cut = pick(reading, item, ['cut'], 'Why it ends early', (value, key) => {
    if (value !== 'length' && value !== 'stopped') return undefined
    reading.judge('taken', item, key, 'Why it ends early.')
    return value
  })
  return cut ?? null
}

function pickAnswers(reading: Reading, file: Record<string, unknown>): Answers {
  const answers = pick(reading, file, ['placeholders'], 'Answers', (value, key) => {
    if (!isObject(value)) return undefined
    const kept = Object.entries(value).flatMap(([name, answer]) =>
      typeof answer === 'string' ? [[name, cutTo(answer.toWellFormed(), LIMITS.answer)] as const] : [],
    )
    const isWhole = kept.length === Object.keys(value).length
    reading.judge(isWhole ? 'taken' : 'changed', file, key, isWhole ? 'Answers.' : 'Answers that are texts.')
    return Object.fromEntries(kept)
  })
  return answers ?? {}
}

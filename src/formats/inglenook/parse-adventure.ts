import { CUTS, type Cut } from '../../domain/action.ts'
import { UNTITLED_ADVENTURE } from '../../domain/adventure.ts'
import { isProposalAnswer, type StoredProposal } from '../../domain/cards/proposals.ts'
import { type Roll, rollFrom } from '../../domain/checks/roll.ts'
import { BRANCH_COLORS } from '../../domain/family/branch.ts'
import { LIMITS, MAX_CARDS } from '../../domain/limits.ts'
import type {
  PortableAction,
  PortableActions,
  PortableAdventure,
  PortableBranch,
  PortableCard,
  PortableSummary,
} from '../../domain/portable/portable.ts'
import { isLanguageTag } from '../../domain/text/language.ts'
import type { Answers } from '../../domain/text/placeholder.ts'
import { recordFrom } from '../../domain/timing/record.ts'
import type { Variant, VariantWorld } from '../../domain/variant.ts'
import { isCount } from '../../lib/numbers.ts'
import { isObject } from '../../lib/objects.ts'
import { cutTo } from '../../lib/text.ts'
import { type Format, planOf, rootFields } from '../format.ts'
import { MAX_ACTIONS, MAX_MEMORIES, MAX_TYPE_LENGTH } from '../import-limits.ts'
import { Fields } from '../shared/fields.ts'
import { parseMemories } from '../shared/memories.ts'
import { parsePlotFields } from '../shared/scenario-fields.ts'
import { parseStatSchema } from '../shared/stat-schema.ts'
import { isRecord } from '../shared/world-record.ts'
import { checkHeader, parseCard, parseScenario } from './parse-scenario.ts'

export const inglenookAdventure: Format = {
  kind: 'inglenook-adventure',
  matches: (file) => isObject(file) && file.format === 'inglenook-adventure',
  parse: (source) => {
    const file = rootFields(source)
    checkHeader(file, 'inglenook-adventure')
    const items = file.list(['actions'], 'Passages', MAX_ACTIONS) ?? []
    const actions = items.map(({ fields }) => parseAction(fields))
    return planOf('inglenook-adventure', file, { adventures: [parseAdventure(file, actions)] })
  },
}

/** Everything of an adventure in Inglenook's own keys but its actions, which were read before. */
export function parseAdventure<Actions extends PortableActions>(
  file: Fields,
  actions: Actions,
): PortableAdventure<Actions> {
  const scenario = file.object(['scenario'], 'Scenario of the story')
  const cards = file.list(['story_cards'], 'Story cards', MAX_CARDS) ?? []
  const title = file.text(['title'], 'Title', { limit: LIMITS.name })
  const summary = parseSummary(file, actions.length)
  const branch = file.value(['branch'], 'Which branch of its story it is', parseBranch)
  return {
    title: typeof file.source.title === 'string' ? title : UNTITLED_ADVENTURE,
    ...parsePlotFields(file),
    story_summary: file.text(['story_summary'], 'Summary'),
    ...(summary === undefined ? {} : { summary }),
    auto_summarize: file.flag(['auto_summarize'], 'Automatic summary'),
    memory_bank_enabled: file.flag(['memory_bank_enabled'], 'Memory bank'),
    propose_cards: file.flag(['propose_cards'], 'Whether story cards are proposed'),
    language: file.value(['language'], 'Language', (tag) => (isLanguageTag(tag) ? tag : undefined)) ?? '',
    scenario: scenario && parseScenario(new Fields(file.receipt, scenario)),
    placeholders: parseAnswers(file),
    stat_schema: parseStatSchema(file, ['stat_schema']),
    world_state: file.object(['world_state'], 'World state') ?? {},
    story_cards: cards.map(({ fields }) => parseAdventureCard(fields)),
    actions,
    memories: parseMemories(file, actions.length),
    ...(branch && { branch }),
    ...(file.has('card_proposals') ? { card_proposals: parseProposed(file, actions.length) } : {}),
  }
}

function parseProposed(file: Fields, actions: number): StoredProposal[] {
  const items = file.list(['card_proposals'], 'Proposed story cards', MAX_MEMORIES) ?? []
  return items.flatMap(({ fields, drop }) => {
    const passage = fields.count(['passage'], 'Passage')
    const answer = fields.value(['answer'], 'Answer', (value) =>
      isProposalAnswer(value) ? value : undefined,
    )
    const proposal = { passage: passage ?? actions, answer: answer ?? null, ...parseProposedTexts(fields) }
    if (proposal.passage < actions) return [proposal]
    drop('Its passage is not in the file')
    return []
  })
}

function parseProposedTexts(fields: Fields) {
  return {
    name: fields.text(['name'], 'Name', { limit: LIMITS.name }),
    keys: fields.text(['keys'], 'Triggers'),
    entry: fields.text(['entry'], 'Entry'),
    quote: fields.text(['quote'], 'Quote'),
  }
}

function parseBranch(value: unknown): PortableBranch | undefined {
  if (!isObject(value)) return undefined
  const { family, id, from, at, name, color, main } = value
  if (typeof family !== 'string' || typeof name !== 'string' || !isCount(id) || !isCount(color))
    return undefined
  return {
    family: cutTo(family, LIMITS.name),
    id,
    from: isCount(from) ? from : null,
    at: isCount(at) ? at : null,
    name: cutTo(name, LIMITS.name),
    color: color % BRANCH_COLORS,
    main: main === true,
  }
}

function parseSummary(file: Fields, actions: number): PortableSummary | null | undefined {
  if (file.source.summary === null) return null
  const summary = file.value(['summary'], 'What the summary covers', (value) => {
    if (!isObject(value)) return undefined
    const { covers, made_by } = value
    if (!Number.isSafeInteger(covers) || (made_by !== 'model' && made_by !== 'player')) return undefined
    return { covers: Math.min(Math.max(-1, covers as number), actions - 1), made_by } as const
  })
  return summary ?? undefined
}

function parseAdventureCard(item: Fields): PortableCard {
  const source_ref = item.value(['source_ref'], 'Source of the card', (value) =>
    typeof value === 'string' && /^(card:\d{1,15}|npc:.{1,60})$/su.test(value) ? value : undefined,
  )
  return { ...parseCard(item), source_ref }
}

export function parseAction(item: Fields): PortableAction {
  const type = item.text(['type'], 'Type', { limit: MAX_TYPE_LENGTH }) || 'story'
  const text = item.text(['text'], 'Text', { limit: Infinity })
  const reasoning = parseReasoning(item)
  const created_at = item.time(['created_at'], 'Time')
  const cut = parseCut(item)
  const items = item.list(['variants'], 'Versions', MAX_ACTIONS) ?? []
  const last = Math.max(0, items.length - 1)
  const variant_index = Math.min(last, item.count(['variant_index'], 'Current version') ?? 0)
  // In files of version 2 the live version has no text of its own.
  const mirrored = { text, reasoning, ...(cut === null ? {} : { cut }) }
  const variants = items.map(({ fields }, i) =>
    parseVariant(fields, i === variant_index && !fields.has('text') ? mirrored : null),
  )
  const live = variants[variant_index]
  const mark = item.text(['mark'], 'Bookmark', { limit: LIMITS.name })
  const roll = parseRoll(item)
  return {
    type,
    // The live variant is what the story shows.
    text: live?.text ?? text,
    reasoning: live ? live.reasoning : reasoning,
    variants,
    variant_index,
    cut: live ? (live.cut ?? null) : cut,
    world_delta: item.value(['world_delta'], 'Stat changes', (value) =>
      isRecord(value) ? value : undefined,
    ),
    world_state_before: item.object(['world_state_before'], 'World state before it'),
    created_at,
    ...(roll && { roll }),
    ...(item.flag(['hidden'], 'Hidden from the narrator') && { hidden: true }),
    ...(typeof item.source.mark === 'string' ? { mark } : {}),
  }
}

function parseVariant(item: Fields, mirrored: Pick<Variant, 'text' | 'reasoning' | 'cut'> | null): Variant {
  const variant: Variant = {
    text: item.text(['text'], 'Text', { limit: Infinity }),
    reasoning: parseReasoning(item),
    ...mirrored,
    created_at: item.time(['created_at'], 'Time'),
  }
  const rest = item.text(['raw_rest'], 'Raw response', { limit: Infinity })
  if (typeof item.source.raw_rest === 'string') variant.raw_output = variant.text + rest
  const raw = item.text(['raw_output'], 'Raw response', { limit: Infinity })
  if (typeof item.source.raw_output === 'string') variant.raw_output = raw
  if (item.has('cleaned')) variant.cleaned = item.flag(['cleaned'], 'Cleaned')
  if (item.has('cut')) variant.cut = parseCut(item)
  if (item.has('edited')) variant.edited = item.flag(['edited'], 'Edited')
  const world = item.value(['world_state'], 'Stat changes', variantWorld)
  if (world) variant.world_state = world
  const roll = parseRoll(item)
  if (roll) variant.roll = roll
  const steering = item.text(['steering'], 'Note to the narrator', { limit: LIMITS.steering })
  if (typeof item.source.steering === 'string') variant.steering = steering
  const timing = item.value(
    ['timing'],
    'What timed cards depend on',
    (value) => recordFrom(value) ?? undefined,
  )
  if (timing) variant.timing = timing
  const rewritten = item.text(['rewritten'], 'How a part was rewritten', { limit: LIMITS.steering })
  if (typeof item.source.rewritten === 'string') variant.rewritten = rewritten
  return variant
}

function parseRoll(item: Fields): Roll | null {
  return item.value(['roll'], 'Roll', (value) => rollFrom(value) ?? undefined)
}

function variantWorld(value: unknown): VariantWorld | undefined {
  if (!isObject(value) || !isObject(value.state)) return undefined
  const { delta, report, state } = value
  if (report !== undefined && report !== null && !isRecord(report)) return undefined
  return { delta: isObject(delta) ? delta : {}, report: report ?? null, state }
}

function parseReasoning(item: Fields): string | null {
  const reasoning = item.text(['reasoning'], 'Reasoning', { limit: Infinity })
  return typeof item.source.reasoning === 'string' ? reasoning : null
}

function parseCut(item: Fields): Cut | null {
  return item.value(['cut'], 'Why it ends early', (value) => CUTS.find((cut) => cut === value))
}

function parseAnswers(file: Fields): Answers {
  const answers = file.value(['placeholders'], 'Placeholder answers', (value, key) => {
    if (!isObject(value)) return undefined
    const texts = Object.entries(value).flatMap(([name, answer]) =>
      typeof answer === 'string' ? [[name, cutTo(answer.toWellFormed(), LIMITS.answer)] as const] : [],
    )
    if (texts.length < Object.keys(value).length)
      file.changed('Placeholder answers, without those that are not text', key)
    return Object.fromEntries(texts)
  })
  return answers ?? {}
}

import { lineageOf } from '../../domain/family/lineage.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { PortableAction, PortableAdventure, PortableMemory } from '../../domain/portable/portable.ts'
import type { Variant } from '../../domain/variant.ts'
import type { WorldState } from '../../domain/world/state.ts'
import { isCount } from '../../lib/numbers.ts'
import { isObject } from '../../lib/objects.ts'
import { cutTo, isBlank } from '../../lib/text.ts'
import { type Format, planOf, rootFields } from '../format.ts'
import { MAX_ACTIONS, MAX_MEMORIES, MAX_TYPE_LENGTH } from '../import-limits.ts'
import { makeAction, makeNarration, withFinalState, withOpening } from '../shared/actions.ts'
import type { Fields } from '../shared/fields.ts'
import { importRefused } from '../shared/import-refused.ts'
import { parseMemory } from '../shared/memories.ts'
import { isRecord } from '../shared/world-record.ts'
import { type Branch, branchesFrom } from './branches.ts'
import { type AdventureHead, parseHead } from './parse-adventure-head.ts'

const FORMAT = 'ai-dnd-adventure-v2'
/** Branches of one tree that are offered. */
const MAX_OFFERED = 100
/** Actions, memories and cards of all offered branches together. */
const MAX_OFFERED_ITEMS = 2 * MAX_ACTIONS

/**
 * A branched adventure of the earlier release. The branch that was last played becomes the adventure; every other branch
 * with actions of its own is offered as one more adventure.
 */
export const earlierTree: Format = {
  kind: FORMAT,
  matches: (file) => isObject(file) && file.format === FORMAT,
  parse: (source) => {
    const file = rootFields(source)
    const head = parseHead(file)
    const tree = parseTree(file)
    const current = parseCurrentBranch(file, tree)
    const memories = parseTreeMemories(file, tree)
    const others = tree.branches.flatMap((_, branch) =>
      branch !== current && tree.nodes.has(branch) ? [branch] : [],
    )
    const offered = [current, ...others]
    const adventures = withinLimits(offered, (branch) =>
      adventureOn(branch, { head, tree, memories, isCurrent: branch === current }),
    )
    noteBranches(file, tree, offered, adventures.length)
    return planOf(FORMAT, file, { adventures })
  },
}

/** A turn in the tree: its attempts, as one action. */
interface Node {
  depth: number
  action: PortableAction
  /** The world state after its live attempt; null when the file does not say. */
  after: WorldState | null
}

interface Tree {
  branches: Branch[]
  /** The nodes of each branch by depth; branches without any are absent. */
  nodes: Map<number, Node[]>
}

function parseCurrentBranch(file: Fields, { branches }: Tree): number {
  const { headBranch } = file.source
  const current = isCount(headBranch) && headBranch < branches.length ? headBranch : 0
  const list = current === headBranch ? 'taken' : 'changed'
  file.note(list, 'headBranch', 'The branch that becomes the story.')
  return current
}

function withinLimits(
  offered: readonly number[],
  adventureFor: (branch: number) => PortableAdventure,
): PortableAdventure[] {
  const adventures: PortableAdventure[] = []
  let items = 0
  for (const branch of offered) {
    if (adventures.length >= MAX_OFFERED || items > MAX_OFFERED_ITEMS) break
    const adventure = adventureFor(branch)
    items += adventure.actions.length + adventure.memories.length + adventure.story_cards.length
    adventures.push(adventure)
  }
  return adventures
}

function noteBranches(
  { receipt, source }: Fields,
  { branches }: Tree,
  offered: readonly number[],
  count: number,
): void {
  const list = source.branches
  if (!Array.isArray(list)) return
  for (const branch of branches.keys()) {
    const order = offered.indexOf(branch)
    if (order >= count) receipt.note('dropped', list, branch, 'Too many branches to import.')
    else if (order > 0) receipt.note('taken', list, branch, 'A branch, offered as a separate story.')
  }
}

interface BranchContext {
  head: AdventureHead
  tree: Tree
  memories: readonly TreeMemory[]
  isCurrent: boolean
}

function adventureOn(branch: number, { head, tree, memories, isCurrent }: BranchContext): PortableAdventure {
  const lineage = lineageOf((id) => tree.branches[id], branch)
  const nodes = lineage.flatMap(({ branch: part, last }) =>
    (tree.nodes.get(part) ?? []).filter(({ depth }) => depth <= last),
  )
  nodes.sort((a, b) => a.depth - b.depth)
  const actions = withOpening(withStatesBefore(nodes))
  const added = actions.length - nodes.length
  const indexes = new Map(nodes.map(({ depth }, at) => [depth, at + added]))
  const lastDepth = new Map(lineage.map(({ branch: part, last }) => [part, last]))
  const reached = isCurrent ? head.world_state : (nodes.at(-1)?.after ?? head.world_state)
  const name = tree.branches[branch]?.name || `branch ${branch + 1}`
  return {
    ...head,
    title: isCurrent ? head.title : cutTo(`${head.title} (${name})`, LIMITS.name),
    world_state: reached ?? {},
    actions: withFinalState(actions, reached),
    memories: memories
      .filter(({ branch: part, depth }) => (depth ?? 0) <= (lastDepth.get(part) ?? -1))
      .map(({ memory }) => reindexed(memory, indexes)),
  }
}

/** The state after a node is the state before the next one. */
function withStatesBefore(nodes: readonly Node[]): PortableAction[] {
  return nodes.map(({ action }, at) => {
    const before = nodes[at - 1]?.after ?? null
    return before === null ? action : { ...action, world_state_before: before }
  })
}

/** An attempt as the file lists it. All attempts at a turn have the same branch and depth. */
interface TreeAttempt {
  branch: number
  depth: number
  type: string
  isLive: boolean
  attempt: Variant
  fields: Fields
}

function parseTree(file: Fields): Tree {
  for (const { fields } of file.list(['branches'], 'Branches', Infinity) ?? [])
    for (const key of ['parent', 'forkDepth', 'name']) fields.note('taken', key, 'Branching of the story.')
  const branches = branchesFrom(file.source.branches)
  const turns = Map.groupBy(parseAttempts(file, branches.length), ({ branch, depth }) => `${branch} ${depth}`)
  const nodes = new Map<number, Node[]>()
  for (const attempts of turns.values()) {
    const { branch = 0, depth = 0 } = attempts[0] ?? {}
    const onBranch = nodes.get(branch) ?? []
    onBranch.push({ depth, ...nodeFrom(attempts) })
    nodes.set(branch, onBranch)
  }
  return { branches, nodes }
}

function parseAttempts(file: Fields, branches: number): TreeAttempt[] {
  const items = file.list(['actions'], 'Passages', MAX_ACTIONS) ?? []
  return items.flatMap(({ fields, position, drop }) => {
    const { branch, depth } = fields.source
    if (!isCount(branch) || branch >= branches)
      throw importRefused(`Passage ${position + 1} of this story is on a branch that does not exist.`)
    if (!isCount(depth))
      throw importRefused(`Passage ${position + 1} of this story does not say where it belongs.`)
    for (const key of ['branch', 'depth']) fields.note('taken', key, 'Position in the story.')
    const attempt = parseAttempt(fields)
    const type = fields.text(['type'], 'Type', { limit: MAX_TYPE_LENGTH }) || 'story'
    const isLive = fields.flag(['live'], 'Current version')
    if (!isBlank(attempt.text)) return [{ branch, depth, type, isLive, attempt, fields }]
    drop('Empty passage.')
    return []
  })
}

function parseAttempt(item: Fields): Variant {
  const attempt: Variant = {
    text: item.text(['text'], 'Text', { limit: Infinity }),
    reasoning: item.text(['reasoning'], 'Reasoning', { limit: Infinity }) || null,
    created_at: item.time(['createdAt'], 'Time'),
  }
  const state = item.object(['worldStateAfter'], 'World state after it')
  const record = item.object(['worldDelta'], 'Stat changes')
  if (record !== null && (state === null || !isRecord(record)))
    item.note('dropped', 'worldDelta', 'Stat changes: not in a form that can be used.')
  item.note('dropped', 'stateAfter', 'Data of scripts, which are never run.')
  if (state === null) return attempt
  const { delta, ...report } = isRecord(record) ? record : {}
  return { ...attempt, world_state: { delta: isObject(delta) ? delta : {}, report, state } }
}

/** One attempt is live: the first that says so, or the first. */
function nodeFrom(attempts: readonly TreeAttempt[]): Omit<Node, 'depth'> {
  const live = Math.max(
    0,
    attempts.findIndex(({ isLive }) => isLive),
  )
  const { type = 'story', attempt } = attempts[live] ?? {}
  const after = attempt?.world_state?.state ?? null
  if (type === 'ai')
    return {
      action: makeNarration(
        attempts.map((one) => one.attempt),
        live,
      ),
      after,
    }
  for (const [at, { fields }] of attempts.entries())
    if (at !== live)
      fields.note('dropped', 'text', 'Another version of your own action. Only one is imported.')
  const { text = '', created_at = null, reasoning = null } = attempt ?? {}
  return { action: makeAction(type, text, { created_at, reasoning }), after }
}

/** A memory, known from a depth of a branch on. */
interface TreeMemory {
  branch: number
  depth: number | null
  memory: PortableMemory
}

function parseTreeMemories(file: Fields, { branches }: Tree): TreeMemory[] {
  const items = file.list(['memories'], 'Memories', MAX_MEMORIES) ?? []
  return items.flatMap(({ fields, drop }) => {
    const { branch, depth } = fields.source
    for (const key of ['branch', 'depth']) fields.note('taken', key, 'Position in the story.')
    const memory = parseMemory(fields, Infinity, (index) => index)
    if (isBlank(memory.text)) {
      drop('Empty memory.')
      return []
    }
    const known = isCount(branch) && branch < branches.length ? branch : 0
    return [{ branch: known, depth: isCount(depth) ? depth : null, memory }]
  })
}

function reindexed(memory: PortableMemory, indexes: ReadonlyMap<number, number>): PortableMemory {
  const start = indexes.get(memory.source_start ?? -1) ?? null
  const end = indexes.get(memory.source_end ?? -1) ?? null
  if (start === null || end === null) return { ...memory, source_start: null, source_end: null }
  return { ...memory, source_start: start, source_end: end }
}

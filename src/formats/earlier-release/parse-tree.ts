import { StoryTree, TreeLine, type TreeNode } from '../../domain/family/story-tree.ts'
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
    const used = new Set(tree.attempts.map(({ branch }) => branch))
    const others = tree.branches.flatMap((_, branch) =>
      branch !== current && used.has(branch) ? [branch] : [],
    )
    const offered = [current, ...others]
    const adventures = withinLimits(offered, (branch) =>
      adventureOn(branch, { head, tree, memories, isCurrent: branch === current }),
    )
    noteBranches(file, tree, offered, adventures.length)
    return planOf(FORMAT, file, { adventures })
  },
}

interface Tree {
  branches: Branch[]
  story: StoryTree
  /** The nodes of the story have their indexes as ids. */
  attempts: TreeAttempt[]
}

function parseCurrentBranch(file: Fields, { branches }: Tree): number {
  const { headBranch } = file.source
  const current = isCount(headBranch) && headBranch < branches.length ? headBranch : 0
  file.came('The branch that becomes the story', 'headBranch')
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
    if (order >= count) receipt.note('left', 'Too many branches to import', list, branch)
    else if (order > 0) receipt.note('came', 'A branch, offered as a separate story', list, branch)
  }
}

interface BranchContext {
  head: AdventureHead
  tree: Tree
  memories: readonly TreeMemory[]
  isCurrent: boolean
}

function adventureOn(branch: number, { head, tree, memories, isCurrent }: BranchContext): PortableAdventure {
  const line = new TreeLine(tree.story.at(branch, Infinity))
  const turns = line.nodes.map((node) => turnFrom(node, tree.attempts))
  const actions = withOpening(withStatesBefore(turns))
  const added = actions.length - turns.length
  const reached = isCurrent ? head.world_state : (turns.at(-1)?.after ?? head.world_state)
  const name = tree.branches[branch]?.name || `branch ${branch + 1}`
  return {
    ...head,
    title: isCurrent ? head.title : cutTo(`${head.title} (${name})`, LIMITS.name),
    world_state: reached ?? {},
    actions: withFinalState(actions, reached),
    memories: memories
      .filter(({ madeAt }) => line.hasTurnOf(madeAt))
      .map(({ memory }) => ({ ...memory, ...line.rangeOf(memory, added) })),
  }
}

/** The state after a turn is the state before the next one. */
function withStatesBefore(turns: readonly Turn[]): PortableAction[] {
  return turns.map(({ action }, at) => {
    const before = turns[at - 1]?.after ?? null
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
    fields.came('Branching of the story', 'parent', 'forkDepth', 'name')
  const branches = branchesFrom(file.source.branches)
  const attempts = parseAttempts(file, branches.length)
  const rows = attempts.map(({ branch, depth }, id) => ({ id, branch, depth, parent: null, order: id }))
  const isLive = ({ id }: { id: number }) => attempts[id]?.isLive === true
  rows.sort((a, b) => a.depth - b.depth || Number(isLive(b)) - Number(isLive(a)))
  return { branches, attempts, story: new StoryTree((id) => branches[id], rows) }
}

function parseAttempts(file: Fields, branches: number): TreeAttempt[] {
  const items = file.list(['actions'], 'Passages', MAX_ACTIONS) ?? []
  return items.flatMap(({ fields, position, drop }) => {
    const { branch, depth } = fields.source
    if (!isCount(branch) || branch >= branches)
      throw importRefused(`Passage ${position + 1} of this story is on a branch that does not exist.`)
    if (!isCount(depth))
      throw importRefused(`Passage ${position + 1} of this story does not say where it belongs.`)
    fields.came('Position in the story', 'branch', 'depth')
    const attempt = parseAttempt(fields)
    const type = fields.text(['type'], 'Type', { limit: MAX_TYPE_LENGTH }) || 'story'
    const isLive = fields.flag(['live'], 'Current version')
    if (!isBlank(attempt.text)) return [{ branch, depth, type, isLive, attempt, fields }]
    drop('Empty passage')
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
    item.left('Stat changes: not in a form that can be used', 'worldDelta')
  item.left('Scripts are never run', 'stateAfter')
  if (state === null) return attempt
  const { delta, ...report } = isRecord(record) ? record : {}
  return { ...attempt, world_state: { delta: isObject(delta) ? delta : {}, report, state } }
}

/** A turn: its attempts, as one action. */
interface Turn {
  action: PortableAction
  /** The world state after its live attempt; null when the file does not say. */
  after: WorldState | null
}

function turnFrom(node: TreeNode, all: readonly TreeAttempt[]): Turn {
  const attempts = node.attempts.flatMap(({ id }) => all[id] ?? [])
  const live = node.attempts.indexOf(node)
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
    if (at !== live) fields.left('Other versions of your own line', 'text')
  const { text = '', created_at = null, reasoning = null } = attempt ?? {}
  return { action: makeAction(type, text, { created_at, reasoning }), after }
}

interface TreeMemory {
  madeAt: TreeNode | null
  memory: PortableMemory
}

function parseTreeMemories(file: Fields, { branches, story }: Tree): TreeMemory[] {
  const items = file.list(['memories'], 'Memories', MAX_MEMORIES) ?? []
  return items.flatMap(({ fields, drop }) => {
    const { branch, depth } = fields.source
    fields.came('Position in the story', 'branch', 'depth')
    const memory = parseMemory(fields, Infinity, (index) => index)
    if (isBlank(memory.text)) {
      drop('Empty memory')
      return []
    }
    const known = isCount(branch) && branch < branches.length ? branch : 0
    return [{ madeAt: story.at(known, isCount(depth) ? depth : 0), memory }]
  })
}

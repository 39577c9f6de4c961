import { LIMITS } from '../../limits.ts'
import { cutTo, isBlank } from '../../../lib/text.ts'
import type { Variant } from '../../variant.ts'
import { isObject } from '../../../lib/objects.ts'
import type { WorldState } from '../../world/state.ts'
import type { CarriedAction, CarriedAdventure, CarriedMemory } from '../../portable/portable.ts'
import { type BundleHead, pickHead } from './bundle-keys.ts'
import { MOST_MEMORIES, memoryFrom } from './memories.ts'
import { MOST_PASSAGES, narration, passage, withOpening, withStateReached } from './passages.ts'
import { pickFlag, pickList, pickObject, pickText, pickTime } from './pick.ts'
import { type Format, planOf } from './plan.ts'
import { Reading } from '../../../formats/shared/receipt.ts'
import { isRecord } from '../../../formats/shared/world-record.ts'
import { refused } from '../../../formats/shared/import-refused.ts'
import { type Branch, branchesFrom, isWhole, lineageOf } from './tree.ts'

const FORMAT = 'ai-dnd-adventure-v2'
const LONGEST_TYPE = 20
/** Lines of one tree that are offered, and passages, memories and cards in all of them together. */
const MOST_LINES = 100
const MOST_IN_LINES = 2 * MOST_PASSAGES

/**
 * The earlier release's file of an adventure that was told in several ways. The line on which the player stands becomes
 * the adventure; every other branch with passages of its own is offered as an adventure beside it.
 */
export const adventureTree: Format = {
  kind: FORMAT,
  fits: (file) => isObject(file) && file.format === FORMAT,
  read: (file) => {
    const reading = new Reading()
    if (!isObject(file)) throw refused('This is no adventure.')
    const head = pickHead(reading, file)
    const tree = pickTree(reading, file)
    const standing = isWhole(file.headBranch) && file.headBranch < tree.branches.length ? file.headBranch : 0
    if (Object.hasOwn(file, 'headBranch'))
      reading.judge(
        standing === file.headBranch ? 'taken' : 'changed',
        file,
        'headBranch',
        'The line that becomes the adventure.',
      )
    const memories = pickNotes(reading, file, tree)
    const others = tree.branches.flatMap((_, at) => (at !== standing && tree.own.has(at) ? [at] : []))
    const adventures = linesOf(reading, file, tree, [standing, ...others], (at) =>
      adventureOn(head, tree, memories, at, at === standing),
    )
    return planOf(FORMAT, reading, file, { adventures })
  },
}

/** One coordinate of the tree: its attempts, as an action. */
interface Node {
  depth: number
  action: CarriedAction
  /** The world that its live attempt has left; null when the file does not tell. */
  after: WorldState | null
}

interface Tree {
  branches: Branch[]
  /** The passages of each branch by depth; branches without any are absent. */
  own: Map<number, Node[]>
}

function linesOf(
  reading: Reading,
  file: Record<string, unknown>,
  tree: Tree,
  heads: readonly number[],
  adventureOf: (head: number) => CarriedAdventure,
): CarriedAdventure[] {
  const adventures: CarriedAdventure[] = []
  let held = 0
  for (const head of heads) {
    if (adventures.length >= MOST_LINES || held > MOST_IN_LINES) break
    const adventure = adventureOf(head)
    held += adventure.actions.length + adventure.memories.length + adventure.story_cards.length
    adventures.push(adventure)
  }
  if (!Array.isArray(file.branches)) return adventures
  for (const [at] of tree.branches.entries()) {
    const place = heads.indexOf(at)
    if (place >= adventures.length)
      reading.judge('dropped', file.branches, at, 'More branches than can be offered.')
    else if (place > 0)
      reading.judge('taken', file.branches, at, 'A branch, offered as an adventure of its own.')
  }
  return adventures
}

function adventureOn(
  head: BundleHead,
  tree: Tree,
  memories: readonly Note[],
  branch: number,
  isHead: boolean,
): CarriedAdventure {
  const stretches = lineageOf(tree.branches, branch)
  const nodes = stretches.flatMap(({ branch: at, last }) =>
    (tree.own.get(at) ?? []).filter(({ depth }) => depth <= last),
  )
  nodes.sort((one, other) => one.depth - other.depth)
  const told = withOpening(withBefores(nodes))
  const shift = told.length - nodes.length
  const places = new Map(nodes.map(({ depth }, at) => [depth, at + shift]))
  const lastOf = new Map(stretches.map(({ branch: at, last }) => [at, last]))
  const reached = isHead ? head.world_state : (nodes.at(-1)?.after ?? head.world_state)
  const name = tree.branches[branch]?.name || `branch ${branch + 1}`
  return {
    ...head,
    title: isHead ? head.title : cutTo(`${head.title} (${name})`, LIMITS.name),
    world_state: reached ?? {},
    actions: withStateReached(told, reached),
    memories: memories
      .filter((note) => (note.depth ?? 0) <= (lastOf.get(note.branch) ?? -1))
      .map((note) => noteOn(note, places)),
  }
}

// What the live attempt before a passage has left is the world before it.
function withBefores(nodes: readonly Node[]): CarriedAction[] {
  return nodes.map(({ action }, at) => {
    const before = nodes[at - 1]?.after ?? null
    return before === null ? action : { ...action, world_state_before: before }
  })
}

interface Read {
  branch: number
  depth: number
  type: string
  isLive: boolean
  attempt: Variant
  item: Record<string, unknown>
}

function pickTree(reading: Reading, file: Record<string, unknown>): Tree {
  const found = pickList(reading, file, ['branches'], 'Branches', Infinity)
  for (const { item } of found?.items ?? [])
    for (const key of ['parent', 'forkDepth', 'name'])
      if (Object.hasOwn(item, key)) reading.judge('taken', item, key, 'How the story branches.')
  const branches = branchesFrom(file.branches)
  const groups = new Map<string, Read[]>()
  for (const read of pickNodes(reading, file, branches.length)) {
    const place = `${read.branch} ${read.depth}`
    const group = groups.get(place)
    if (group) group.push(read)
    else groups.set(place, [read])
  }
  const own = new Map<number, Node[]>()
  for (const group of groups.values()) {
    const [first] = group
    if (first === undefined) continue
    const nodes = own.get(first.branch) ?? []
    nodes.push({ depth: first.depth, ...nodeFrom(reading, group) })
    own.set(first.branch, nodes)
  }
  return { branches, own }
}

function pickNodes(reading: Reading, file: Record<string, unknown>, branches: number): Read[] {
  const found = pickList(reading, file, ['actions'], 'Passages', MOST_PASSAGES)
  return (found?.items ?? []).flatMap(({ item, place }) => {
    const { branch, depth } = item
    if (!isWhole(branch) || branch >= branches)
      throw refused(`Passage ${Number(place) + 1} of this story stands on a branch that is not there.`)
    if (!isWhole(depth))
      throw refused(`Passage ${Number(place) + 1} of this story does not say where it stands.`)
    for (const key of ['branch', 'depth']) reading.judge('taken', item, key, 'Where it stands in the story.')
    const attempt = attemptFrom(reading, item)
    const type = pickText(reading, item, ['type'], 'How it came about', { limit: LONGEST_TYPE }) || 'story'
    const isLive = pickFlag(reading, item, ['live'], 'Live attempt', false)
    if (!isBlank(attempt.text)) return [{ branch, depth, type, isLive, attempt, item }]
    reading.judge('dropped', found?.list ?? [], place, 'A passage without a word.')
    return []
  })
}

function attemptFrom(reading: Reading, item: Record<string, unknown>): Variant {
  const text = pickText(reading, item, ['text'], 'Words', { limit: Infinity })
  const reasoning = pickText(reading, item, ['reasoning'], 'What the model thought', { limit: Infinity })
  const attempt: Variant = {
    text,
    reasoning: reasoning === '' ? null : reasoning,
    created_at: pickTime(reading, item, ['createdAt'], 'When it was told'),
  }
  const state = pickObject(reading, item, ['worldStateAfter'], 'The world after it')
  const record = pickObject(reading, item, ['worldDelta'], 'What it changed')
  if (record !== null && (state === null || !isRecord(record)))
    reading.judge('dropped', item, 'worldDelta', 'What it changed: not told in a way that can be used.')
  if (Object.hasOwn(item, 'stateAfter'))
    reading.judge('dropped', item, 'stateAfter', 'What scripts remembered. There are none here.')
  if (state === null) return attempt
  const { delta, ...report } = isRecord(record) ? record : {}
  return { ...attempt, world_state: { delta: isObject(delta) ? delta : {}, report, state } }
}

// Exactly one attempt is live: the first that says so, else the first.
function nodeFrom(reading: Reading, group: readonly Read[]): Omit<Node, 'depth'> {
  const live = Math.max(
    0,
    group.findIndex(({ isLive }) => isLive),
  )
  const shown = group[live] ?? group[0]
  const after = shown?.attempt.world_state?.state ?? null
  const attempts = group.map(({ attempt }) => attempt)
  if (shown?.type === 'ai') return { action: narration(attempts, live), after }
  for (const other of group)
    if (other !== shown)
      reading.judge('dropped', other.item, 'text', 'Another form of a player’s line. Only one is kept.')
  const { text = '', created_at = null, reasoning = null } = shown?.attempt ?? {}
  return { action: passage(shown?.type ?? 'story', text, { created_at, reasoning }), after }
}

/** A memory with the place in the tree from which it is known. */
interface Note {
  branch: number
  depth: number | null
  memory: CarriedMemory
}

function pickNotes(reading: Reading, file: Record<string, unknown>, { branches }: Tree): Note[] {
  const found = pickList(reading, file, ['memories'], 'Memories', MOST_MEMORIES)
  return (found?.items ?? []).flatMap(({ item, place }) => {
    const { branch, depth } = item
    for (const key of ['branch', 'depth'])
      if (Object.hasOwn(item, key)) reading.judge('taken', item, key, 'Where it stands in the story.')
    const memory = memoryFrom(reading, item, Infinity, (index) => index)
    if (isBlank(memory.text)) {
      reading.judge('dropped', found?.list ?? [], place, 'A memory without a word.')
      return []
    }
    const at = isWhole(branch) && branch < branches.length ? branch : 0
    return [{ branch: at, depth: isWhole(depth) ? depth : null, memory }]
  })
}

function noteOn({ memory }: Note, places: ReadonlyMap<number, number>): CarriedMemory {
  const start = places.get(memory.source_start ?? -1) ?? null
  const end = places.get(memory.source_end ?? -1) ?? null
  if (start === null || end === null) return { ...memory, source_start: null, source_end: null }
  return { ...memory, source_start: start, source_end: end }
}

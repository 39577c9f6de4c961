import type { Database } from 'bun:sqlite'
import { insert, libraryRows, type Row } from './release.ts'
import type { TreeVersion } from './tree-schema.ts'

/** One attempt at a turn. */
interface Take {
  turn: Turn
  text: string
  world: Row
  /** ISO 8601 in UTC. */
  at: string
}

interface Branch {
  id: number
  parent: Branch | null
  fork: number | null
  name: string | null
}

interface Turn {
  branch: Branch
  depth: number
  /** What it was played after. */
  after: Take | null
  type: string
  takes: Take[]
  live: Take
}

/** A memory, made at a turn. */
interface Memory {
  text: string
  turn: Turn
  range: [start: number, end: number] | null
}

/** What a player does in the earlier release. Numbers choose among what there is. */
export type TreeOperation =
  | { do: 'play' }
  | { do: 'retry' }
  | { do: 'switch'; to: number }
  | { do: 'go back'; turns: number }
  | { do: 'name'; name: string }
  | { do: 'remember'; passages: number }
  | { do: 'note' }

/** A line as it has to be after the conversion. */
export interface ExpectedLine {
  name: string | null
  actions: {
    type: string
    text: string
    before: Row | null
    takes: { text: string; world: Row; at: string }[]
    live: number
    at: string
  }[]
  memories: { text: string; start: number | null; end: number | null }[]
}

const TIME = '2026-11-22 03:34:59.451233'

/** A story of the earlier release as objects: the lines follow from them without branches, depths and marks. */
export class TreeStory {
  private readonly branches: Branch[] = [{ id: 1, parent: null, fork: null, name: null }]
  private readonly turns: Turn[] = []
  private readonly memories: Memory[] = []
  private head: Turn | null = null
  private texts = 0

  constructor(
    private readonly id: number,
    private readonly version: TreeVersion,
  ) {}

  apply(operation: TreeOperation): void {
    if (operation.do === 'play') this.play()
    if (operation.do === 'retry') this.retry()
    if (operation.do === 'switch') this.switchTo(operation.to)
    if (operation.do === 'go back') this.goBack(operation.turns)
    if (operation.do === 'name' && this.head && this.version >= 61) this.head.branch.name = operation.name
    if (operation.do === 'remember') this.remember(operation.passages)
    if (operation.do === 'note' && this.head)
      this.memories.push({ text: this.nextText('Note'), turn: this.head, range: null })
  }

  private play(): void {
    const after = this.head?.live ?? null
    const depth = this.head === null ? 0 : this.head.depth + 1
    const branch = this.branchFor(depth)
    const type = depth === 0 ? 'start' : depth % 2 === 1 ? 'do' : 'ai'
    const turn = { branch, depth, after, type, takes: [] } as unknown as Turn
    turn.live = this.addTake(turn)
    this.turns.push(turn)
    this.head = turn
  }

  /** That of the newest turn where nothing is deeper on it, else a new one that leaves it here. */
  private branchFor(depth: number): Branch {
    const parent = this.head?.branch ?? this.branches[0]
    if (!parent) throw new Error('there is no branch')
    if (!this.turns.some((turn) => turn.branch === parent && turn.depth >= depth)) return parent
    const branch = { id: this.branches.length + 1, parent, fork: depth - 1, name: null }
    this.branches.push(branch)
    return branch
  }

  // Before rows name what they were played after, what is followed is retried nowhere.
  private retry(): void {
    if (this.head && this.mayChange(this.head)) this.head.live = this.addTake(this.head)
  }

  private switchTo(index: number): void {
    const take = this.head?.takes[index % (this.head?.takes.length ?? 1)]
    if (this.head && take && this.mayChange(this.head)) this.head.live = take
  }

  private mayChange(turn: Turn): boolean {
    return this.version >= 63 || !this.turns.some(({ after }) => after?.turn === turn)
  }

  /** There are no branches before every attempt is a row. */
  private goBack(turns: number): void {
    if (this.version < 57) return
    for (let i = 0; i < turns && this.head?.after && this.head.after === this.head.after.turn.live; i++)
      this.head = this.head.after.turn
  }

  private remember(passages: number): void {
    if (!this.head) return
    const range: [number, number] = [Math.max(0, this.head.depth - passages), this.head.depth]
    this.memories.push({ text: this.nextText('Memory'), turn: this.head, range })
  }

  private addTake(turn: Turn): Take {
    const text = this.nextText('Passage')
    const at = new Date(Date.UTC(2026, 10, 22, 3, this.texts)).toISOString()
    const take = { turn, text, world: { player: { hp: this.texts }, _meta: { last_changed: {} } }, at }
    turn.takes.push(take)
    return take
  }

  private nextText(kind: string): string {
    this.texts += 1
    return `${kind} ${this.id}.${this.texts}`
  }

  /** The line that was last played, and every other one that ends somewhere. */
  expected(): { head: ExpectedLine; others: ExpectedLine[] } {
    const headEnd = this.head?.live ?? null
    const onHead = new Set(chainTo(headEnd))
    const followed = new Set(this.turns.map(({ after }) => after))
    const ends = this.turns.map(({ live }) => live).filter((take) => !followed.has(take) && !onHead.has(take))
    return { head: this.line(headEnd), others: ends.map((end) => this.line(end)) }
  }

  private line(end: Take | null): ExpectedLine {
    const chain = chainTo(end)
    const turns = chain.map(({ turn }) => turn)
    return {
      name: end?.turn.branch.name ?? null,
      actions: chain.map((take, i) => ({
        type: take.turn.type,
        text: take.text,
        before: chain[i - 1]?.world ?? null,
        takes:
          take.turn.takes.length === 1
            ? []
            : take.turn.takes.map(({ text, world, at }) => ({ text, world, at })),
        live: take.turn.takes.length === 1 ? 0 : take.turn.takes.indexOf(take),
        at: take.at,
      })),
      memories: this.memories
        .filter(({ turn }) => turns.includes(turn))
        .map(({ text, range }) => ({ text, start: range?.[0] ?? null, end: range?.[1] ?? null })),
    }
  }

  /** Writes the story into the tables of its version. `ids` counts the rows of the library. */
  write(db: Database, ids: { branches: number; actions: number }): void {
    const [first, live] = [ids.branches, this.version >= 57]
    const branchId = ({ id }: Branch) => first + id
    const newest = this.turns.at(-1)?.live
    insert(db, 'adventures', {
      ...(libraryRows().adventures?.[1] ?? {}),
      id: this.id,
      title: `Story ${this.id}`,
      world_state: this.head?.live.world ?? newest?.world ?? {},
      head_branch_id: branchId(this.head?.branch ?? (this.branches[0] as Branch)),
      head_depth: this.head?.depth ?? -1,
      memory_cursor_branch_id: null,
      memory_cursor_depth: -1,
      summary_cursor_branch_id: null,
      summary_cursor_depth: -1,
    })
    for (const branch of this.branches) insert(db, 'branches', this.branchRow(branch, branchId))
    const rows = new Map<Take, number>()
    for (const turn of this.turns)
      for (const take of live ? turn.takes : [turn.live]) rows.set(take, ++ids.actions)
    for (const [take, id] of rows) insert(db, 'actions', this.actionRow(take, id, { rows, branchId }))
    for (const memory of this.memories) insert(db, 'memories', this.memoryRow(memory, branchId))
    ids.branches += this.branches.length
  }

  private branchRow(branch: Branch, idOf: (branch: Branch) => number): Row {
    return {
      id: idOf(branch),
      adventure_id: this.id,
      parent_branch_id: branch.parent && idOf(branch.parent),
      fork_depth: branch.fork,
      lineage: lineageOf(branch, idOf),
      name: branch.name,
      created_at: TIME,
    }
  }

  private actionRow(
    take: Take,
    id: number,
    { rows, branchId }: { rows: ReadonlyMap<Take, number>; branchId: (branch: Branch) => number },
  ): Row {
    const { turn, text, world, at } = take
    const isRow = this.version >= 57
    const count = turn.takes.length === 1 ? 0 : turn.takes.length
    const before = turn.after?.world ?? null
    return {
      id,
      adventure_id: this.id,
      index: isRow ? id : turn.depth,
      branch_id: branchId(turn.branch),
      depth: turn.depth,
      live: Number(take === turn.live),
      parent_id: turn.after && rows.get(turn.after),
      type: turn.type,
      text,
      world_delta: turn.type === 'ai' || (!isRow && count > 0) ? { delta: {}, applied: [] } : null,
      world_state_after: world,
      // Nobody keeps it up any more.
      world_state_before: isRow ? null : before,
      variants: isRow || count === 0 ? null : turn.takes.map(entryOf),
      variant_count: count,
      variant_index: count === 0 ? 0 : turn.takes.indexOf(take),
      created_at: storedTime(at),
    }
  }

  private memoryRow({ text, turn, range }: Memory, branchId: (branch: Branch) => number): Row {
    return {
      ...(libraryRows().memories?.[2] ?? {}),
      id: null,
      adventure_id: this.id,
      text,
      branch_id: branchId(turn.branch),
      depth: turn.depth,
      source_start: range?.[0] ?? null,
      source_end: range?.[1] ?? null,
    }
  }
}

/** A time as the earlier release stores it. */
const storedTime = (at: string) => at.replace('T', ' ').replace('Z', '000')

/** An attempt as versions store it before it is a row. */
function entryOf({ text, world, at }: Take): Row {
  const report = { applied: [], clamped: [], rejected: [] }
  return {
    text,
    reasoning: null,
    created_at: at.replace('Z', '+00:00'),
    world_state: { delta: {}, report, state: world },
  }
}

function chainTo(end: Take | null): Take[] {
  const chain: Take[] = []
  for (let take = end; take !== null; take = take.turn.after) chain.unshift(take)
  return chain
}

/** A branch and those that it left, each with the last depth that counts. */
function lineageOf(branch: Branch, idOf: (branch: Branch) => number): [number, number | null][] {
  const lineage: [number, number | null][] = [[idOf(branch), null]]
  let last = Infinity
  for (let one = branch; one.parent; one = one.parent) {
    last = Math.min(last, one.fork ?? Infinity)
    lineage.push([idOf(one.parent), last])
  }
  return lineage
}

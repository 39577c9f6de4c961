import { setOwn } from '../../../lib/objects.ts'
import { LaxObject, type LaxValue, parseLaxJson, Unread } from './lax-json.ts'
import type { PathResolver } from './path-resolver.ts'

/** A block that was removed from a reply: its body, and whether the reply was cut off inside it. */
export interface StateBlock {
  text: string
  cut: boolean
  /** Too long to be a state block; its text was discarded. */
  tooLong: boolean
}

/** The changes that a reply proposes. */
export interface DeltaParse {
  /** Flat: from path as written to proposed change. Of two with the same path, the later one counts. */
  delta: Record<string, unknown>
  /** Names whose values could not be read. */
  unread: string[]
  recorded: DeltaStatus
}

/** The status of a reply's state block: `unread` cannot be read, `none` is missing; `asked` came from a second call. */
export type DeltaStatus = 'whole' | 'cut' | 'unread' | 'none' | 'asked'

/** Parses the changes in the blocks of a reply, in order. Never throws. */
export function parseDelta(blocks: readonly StateBlock[], paths: PathResolver): DeltaParse {
  const reader = new DeltaReader(paths)
  let isEmpty = true
  for (const { text, cut } of blocks) {
    isEmpty &&= /^[\s{}[\]]*$/.test(text.replace(COMMENTS, '')) && !cut
    for (const value of parseLaxJson(text, cut)) reader.read('', value)
  }
  const { delta, unread } = reader
  const hasChanges = Object.keys(delta).length > 0
  return { delta, unread, recorded: statusOf(blocks, hasChanges || isEmpty) }
}

/** A model that has nothing to report may say so in a comment. */
const COMMENTS = /(\/\/|#)[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g

function statusOf(blocks: readonly StateBlock[], isRead: boolean): Exclude<DeltaStatus, 'asked'> {
  if (blocks.length === 0) return 'none'
  if (blocks.some(({ cut }) => cut)) return 'cut'
  return isRead && !blocks.some(({ tooLong }) => tooLong) ? 'whole' : 'unread'
}

/** Keys that models wrap around the changes. */
const WRAPPERS = /^(state|state[ _-]?delta|world[ _-]?state|delta|changes?|updates?|edits?|stats)$/i
/** How an object names its path and its change. The `value` of a number might be a total, so it is not used. */
const NAMED_BY = ['path', 'stat', 'key']
const CHANGED_BY = ['by', 'delta', 'change', 'amount']
const SET_TO = ['to', 'value', 'new', 'set']

class DeltaReader {
  readonly delta: Record<string, unknown> = {}
  readonly unread: string[] = []

  constructor(private readonly paths: PathResolver) {}

  read(prefix: string, value: LaxValue | Unread): void {
    if (value instanceof Unread) this.unread.push(prefix)
    else if (value instanceof LaxObject) this.readObject(prefix, value)
    else if (Array.isArray(value)) this.readList(prefix, value)
    else this.propose(prefix, value)
  }

  // The later change also moves to the later position: of two spellings of one path, the last one counts.
  private propose(path: string, value: unknown): void {
    if (path === '') return
    delete this.delta[path]
    setOwn(this.delta, path, value)
  }

  private readObject(prefix: string, { pairs }: LaxObject): void {
    const target = prefix !== '' && this.isTarget(prefix) ? prefix : namedIn(pairs)
    if (target !== null) {
      this.read(target, valueIn(pairs, this.isCounted(target)))
      return
    }
    for (const [key, value] of pairs) {
      const isWrapper = WRAPPERS.test(key) && !this.isTarget(joinPath(prefix, key))
      this.read(isWrapper ? prefix : joinPath(prefix, key), value)
    }
  }

  private readList(prefix: string, list: LaxValue[]): void {
    if (prefix !== '' && this.isTarget(prefix)) this.propose(prefix, [])
    else for (const value of list) this.readItem(prefix, value)
  }

  private readItem(prefix: string, value: LaxValue): void {
    const isReached = /^milestones?$/i.test(prefix) && typeof value === 'string'
    if (isReached) this.propose(`milestones.${value.replace(/^milestones\./, '')}`, true)
    else this.read(prefix, value)
  }

  private isTarget(path: string): boolean {
    return 'target' in this.paths.resolve(path)
  }

  private isCounted(path: string): boolean {
    const found = this.paths.resolve(path)
    return 'target' in found && found.target.kind === 'stat' && found.target.stat.kind !== 'text'
  }
}

function joinPath(prefix: string, key: string): string {
  return prefix === '' ? key : `${prefix}.${key}`
}

/** The path that an object names; null if it names none. */
export function namedIn(pairs: LaxObject['pairs']): string | null {
  const name = NAMED_BY.map((key) => pairs.find(([known]) => known === key)?.[1]).find(
    (value) => typeof value === 'string',
  )
  return name ?? null
}

/** The value that an object stands for; [] if it is ambiguous or might be a total. */
export function valueIn(pairs: LaxObject['pairs'], isCounted: boolean): LaxValue | Unread {
  const keys = isCounted ? CHANGED_BY : [...SET_TO, ...CHANGED_BY]
  const found = pairs.filter(([key]) => keys.includes(key.toLowerCase()))
  return found.length === 1 && found[0] ? found[0][1] : []
}

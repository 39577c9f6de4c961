import { type Lax, LaxObject, readLax, Unread } from './lax-json.ts'
import { setOwn } from '../../../lib/objects.ts'
import type { Paths } from './path-resolver.ts'

/** A block as it was taken out of a reply: its body, and whether the reply broke off inside it. */
export interface Block {
  text: string
  cut: boolean
  /** Too long to be a block of changes; its text was not kept. */
  tooLong: boolean
}

/** What a reply proposes. */
export interface Reading {
  /** Flat: path as written, to the proposed change. The later of two with one path counts. */
  delta: Record<string, unknown>
  /** Names whose values could not be read. */
  unread: string[]
  recorded: Recorded
}

/**
 * How the changes of a reply came to us: `unread` is a block that says nothing readable, `none` no block at all; `asked`
 * when they were asked for by themselves.
 */
export type Recorded = 'whole' | 'cut' | 'unread' | 'none' | 'asked'

/** Reads what the blocks of a reply propose, in order. It never throws. */
export function readDelta(blocks: readonly Block[], paths: Paths): Reading {
  const reader = new DeltaReader(paths)
  let isEmpty = true
  for (const { text, cut } of blocks) {
    isEmpty &&= /^[\s{}[\]]*$/.test(text.replace(REMARKS, '')) && !cut
    for (const value of readLax(text, cut)) reader.take('', value)
  }
  const { delta, unread } = reader
  const found = Object.keys(delta).length > 0
  return { delta, unread, recorded: recordedAs(blocks, found || isEmpty) }
}

/** A model that has nothing to report may say so. */
const REMARKS = /(\/\/|#)[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g

function recordedAs(blocks: readonly Block[], isRead: boolean): Exclude<Recorded, 'asked'> {
  if (blocks.length === 0) return 'none'
  if (blocks.some(({ cut }) => cut)) return 'cut'
  return isRead && !blocks.some(({ tooLong }) => tooLong) ? 'whole' : 'unread'
}

/** Names that models put around the changes. */
const WRAPPERS = /^(state|state[ _-]?delta|world[ _-]?state|delta|changes?|updates?|edits?|stats)$/i
/** How an object says which path it means, and by how much; a number's `value` could be a total and is not guessed. */
const NAMED_BY = ['path', 'stat', 'key']
const CHANGED_BY = ['by', 'delta', 'change', 'amount']
const SET_TO = ['to', 'value', 'new', 'set']

class DeltaReader {
  readonly delta: Record<string, unknown> = {}
  readonly unread: string[] = []

  constructor(private readonly paths: Paths) {}

  take(prefix: string, value: Lax | Unread): void {
    if (value instanceof Unread) this.unread.push(prefix)
    else if (value instanceof LaxObject) this.takeObject(prefix, value)
    else if (Array.isArray(value)) this.takeList(prefix, value)
    else this.propose(prefix, value)
  }

  // The later of two takes the later place, too: of two spellings of one path the last one counts.
  private propose(path: string, value: unknown): void {
    if (path === '') return
    delete this.delta[path]
    setOwn(this.delta, path, value)
  }

  private takeObject(prefix: string, { pairs }: LaxObject): void {
    const target = prefix !== '' && this.isTarget(prefix) ? prefix : namedIn(pairs)
    if (target !== null) {
      this.take(target, valueIn(pairs, this.isCounted(target)))
      return
    }
    for (const [key, value] of pairs) {
      const isWrapper = WRAPPERS.test(key) && !this.isTarget(joined(prefix, key))
      this.take(isWrapper ? prefix : joined(prefix, key), value)
    }
  }

  private takeList(prefix: string, list: Lax[]): void {
    if (prefix !== '' && this.isTarget(prefix)) this.propose(prefix, [])
    else for (const value of list) this.takeItem(prefix, value)
  }

  private takeItem(prefix: string, value: Lax): void {
    const isReached = /^milestones?$/i.test(prefix) && typeof value === 'string'
    if (isReached) this.propose(`milestones.${value.replace(/^milestones\./, '')}`, true)
    else this.take(prefix, value)
  }

  private isTarget(path: string): boolean {
    return 'target' in this.paths.resolve(path)
  }

  private isCounted(path: string): boolean {
    const found = this.paths.resolve(path)
    return 'target' in found && found.target.kind === 'stat' && found.target.stat.kind !== 'text'
  }
}

function joined(prefix: string, key: string): string {
  return prefix === '' ? key : `${prefix}.${key}`
}

/** The path that an object names; null when it names none. */
export function namedIn(pairs: LaxObject['pairs']): string | null {
  const name = NAMED_BY.map((key) => pairs.find(([known]) => known === key)?.[1]).find(
    (value) => typeof value === 'string',
  )
  return name ?? null
}

/** The one value that an object stands for. An object that cannot be told from a total is itself, and no number. */
export function valueIn(pairs: LaxObject['pairs'], isCounted: boolean): Lax | Unread {
  const keys = isCounted ? CHANGED_BY : [...SET_TO, ...CHANGED_BY]
  const found = pairs.filter(([key]) => keys.includes(key.toLowerCase()))
  return found.length === 1 && found[0] ? found[0][1] : []
}

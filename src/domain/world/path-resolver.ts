import { foldName } from '../../lib/fold-text.ts'
import type { Flag, Milestone, Rules, Stat } from './rules.ts'

export type StatTarget =
  | { kind: 'stat'; stat: Stat }
  | { kind: 'flag'; flag: Flag }
  | { kind: 'milestone'; milestone: Milestone }

export interface ResolvedPath {
  target: StatTarget
  path: string
  corrected: boolean
}

export type UnknownReason =
  | 'unknown flag'
  | 'unknown milestone'
  | 'unknown stat'
  | 'unknown npc'
  | 'unknown npc stat'
  | 'unknown path'

const SECTIONS = /^(world|player|npcs?|flags|milestones|(world[ _-]?)?state([ _-]?delta)?)$/i

/** Finds what a path means, by its exact spelling and by the ways in which models misspell it. */
export class PathResolver {
  private readonly exact = new Map<string, StatTarget>()
  /** The paths that each other spelling may mean; null before one is looked up, since most paths are spelled exactly. */
  private spellings: Map<string, string[]> | null = null

  /** Hidden stats can be set only by the player. */
  constructor(
    readonly rules: Rules,
    { hidden = false } = {},
  ) {
    for (const stat of rules.stats)
      if (hidden || !stat.hidden) this.exact.set(stat.path, { kind: 'stat', stat })
    for (const flag of rules.flags) this.exact.set(flag.path, { kind: 'flag', flag })
    for (const milestone of rules.milestones) this.exact.set(milestone.path, { kind: 'milestone', milestone })
  }

  /** Resolves a path as written. A loose spelling counts only if it fits exactly one path. */
  resolve(written: string): ResolvedPath | { reason: UnknownReason } {
    const target = this.exact.get(written)
    if (target) return { target, path: written, corrected: false }
    const [path, ...others] = this.loose.get(looseForm(written)) ?? []
    const meant = path === undefined || others.length > 0 ? undefined : this.exact.get(path)
    return path !== undefined && meant
      ? { target: meant, path, corrected: true }
      : { reason: this.reasonFor(written) }
  }

  /** True for a word that names anything in the schema. Distinguishes a state block from a document in the story. */
  knows(written: string): boolean {
    return SECTIONS.test(written) || this.loose.has(looseForm(written))
  }

  private get loose(): ReadonlyMap<string, string[]> {
    if (this.spellings) return this.spellings
    const spellings = new Map<string, string[]>()
    const alias = (written: string, path: string) => {
      const form = looseForm(written)
      const known = spellings.get(form) ?? []
      if (!known.includes(path)) spellings.set(form, [...known, path])
    }
    for (const path of this.exact.keys()) {
      alias(path, path)
      alias(path.slice(path.lastIndexOf('.') + 1), path)
    }
    for (const { id, name, stats } of this.rules.npcs)
      for (const stat of stats)
        if (this.exact.has(stat.path))
          for (const prefix of [`npc.${name}`, name, id]) alias(`${prefix}.${stat.name}`, stat.path)
    this.spellings = spellings
    return spellings
  }

  private reasonFor(written: string): UnknownReason {
    const [section = '', id = '', stat] = written.trim().split('.')
    if (section === 'flags') return 'unknown flag'
    if (section === 'milestones') return 'unknown milestone'
    if (section === 'world' || section === 'player') return 'unknown stat'
    if (section !== 'npc' && section !== 'npcs') return 'unknown path'
    if (stat === undefined) return 'unknown path'
    return this.rules.npcs.some((npc) => npc.id === id) ? 'unknown npc stat' : 'unknown npc'
  }
}

/** Finds the path that an author means: as written, or that of the one stat, flag or milestone with such a label. */
export function pathFinder(rules: Rules): (written: string) => string {
  const resolver = new PathResolver(rules, { hidden: true })
  const all = [...rules.stats, ...rules.flags, ...rules.milestones]
  return (written) => {
    const found = resolver.resolve(written)
    if ('path' in found) return found.path
    const [named, ...others] = all.filter(({ label }) => foldName(label) === foldName(written))
    return named && others.length === 0 ? named.path : written
  }
}

function looseForm(written: string): string {
  return written
    .trim()
    .toLowerCase()
    .replace(/^npcs\./, 'npc.')
    .replace(/^flag\./, 'flags.')
    .replace(/^milestone\./, 'milestones.')
    .split('.')
    .map((part) => part.trim())
    .join('.')
    .replace(/[\s_-]+/g, ' ')
}

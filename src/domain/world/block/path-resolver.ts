import type { Flag, Milestone, Rules, Stat } from '../rules.ts'

/** What a path of a delta names. */
export type Target =
  | { kind: 'stat'; stat: Stat }
  | { kind: 'flag'; flag: Flag }
  | { kind: 'milestone'; milestone: Milestone }

/** The target of a path, and whether the path had to be put right first. */
export interface Found {
  target: Target
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

const SECTION_NAMES = [
  'world',
  'player',
  'npc',
  'npcs',
  'flags',
  'milestones',
  'state',
  'state delta',
  'world state',
]
const SECTIONS = /^(world|player|npcs?|flags|milestones|(world[ _-]?)?state([ _-]?delta)?)$/i

/** Everything that a model may write under a schema, by exact path and by the ways in which models write it. */
export class Paths {
  private readonly exact = new Map<string, Target>()
  private readonly loose = new Map<string, string[]>()

  /** What is hidden can be written by the player alone. */
  constructor(
    private readonly rules: Rules,
    { hidden = false } = {},
  ) {
    const isShown = (stat: Stat): boolean => hidden || !stat.hidden
    for (const stat of rules.stats) if (isShown(stat)) this.add(stat.path, { kind: 'stat', stat })
    for (const flag of rules.flags) this.add(flag.path, { kind: 'flag', flag })
    for (const milestone of rules.milestones) this.add(milestone.path, { kind: 'milestone', milestone })
    for (const { id, name, stats } of rules.npcs)
      for (const stat of stats)
        if (isShown(stat))
          for (const whom of [`npc.${name}`, name, id]) this.alias(`${whom}.${stat.name}`, stat.path)
  }

  /** Resolves what a model wrote. A loose spelling counts only when one path fits it. */
  resolve(written: string): Found | { reason: UnknownReason } {
    const target = this.exact.get(written)
    if (target) return { target, path: written, corrected: false }
    const [path, ...others] = this.loose.get(looseForm(written)) ?? []
    const meant = path === undefined || others.length > 0 ? undefined : this.exact.get(path)
    return path !== undefined && meant
      ? { target: meant, path, corrected: true }
      : { reason: this.reasonFor(written) }
  }

  /** Whether a word names anything here, for telling a block of changes from a document in the story. */
  knows(written: string): boolean {
    return SECTIONS.test(written) || this.loose.has(looseForm(written))
  }

  /** Whether what was written so far can still become such a word. */
  mayName(begun: string): boolean {
    const form = looseForm(begun)
    return [...SECTION_NAMES, ...this.loose.keys()].some((known) => known.startsWith(form))
  }

  /** The valid names of one kind, for telling a model what there is. */
  names(kind: Target['kind']): string[] {
    return [...this.exact].flatMap(([path, target]) => (target.kind === kind ? [path] : []))
  }

  private add(path: string, target: Target): void {
    this.exact.set(path, target)
    this.alias(path, path)
    const name = path.slice(path.lastIndexOf('.') + 1)
    this.alias(name, path)
  }

  private alias(written: string, path: string): void {
    const form = looseForm(written)
    const known = this.loose.get(form) ?? []
    if (!known.includes(path)) this.loose.set(form, [...known, path])
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

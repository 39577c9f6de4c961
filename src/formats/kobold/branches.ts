import { BRANCH_COLORS } from '../../domain/family/branch.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { PortableAction, PortableAdventure } from '../../domain/portable/portable.ts'
import { hashOf } from '../../lib/hash.ts'
import { cutTo } from '../../lib/text.ts'
import { type Fields, strings } from '../shared/fields.ts'
import { importRefused } from '../shared/import-refused.ts'

const MAX_BRANCHES = 200

/** The texts of the other branches of a save of Kobold Lite. The one that is played has null in its place. */
export function parseBranches(file: Fields): string[][] {
  const { altbranches } = file.source
  if (!Array.isArray(altbranches)) return []
  if (altbranches.length > MAX_BRANCHES)
    throw importRefused(`This save has more than ${MAX_BRANCHES} branches.`)
  file.came('Other branches: a story each', 'altbranches')
  return altbranches
    .filter(Array.isArray)
    .map(strings)
    .filter((texts) => texts.length > 0)
}

/** A story for each branch. The first one is that which was played; the others grow from it where they share an opening. */
export function asBranches(
  head: PortableAdventure,
  branches: readonly PortableAction[][],
): PortableAdventure[] {
  const [played = []] = branches
  const family = hashOf(JSON.stringify(branches))
  return branches.map((actions, id) => {
    const name = id === 0 ? '' : `branch ${id + 1}`
    const title = id === 0 ? head.title : cutTo(`${head.title}: ${name}`, LIMITS.name)
    const at = sharedWith(played, actions) - 1
    const isLinked = branches.length > 1 && at >= 0
    const branch = {
      family,
      id,
      from: id === 0 ? null : 0,
      at: id === 0 ? null : at,
      name,
      color: id % BRANCH_COLORS,
      main: id === 0,
    }
    return { ...head, title, actions, ...(isLinked && { branch }) }
  })
}

function sharedWith(one: readonly PortableAction[], other: readonly PortableAction[]): number {
  const differs = other.findIndex(({ type, text }, i) => one[i]?.type !== type || one[i]?.text !== text)
  return differs === -1 ? other.length : differs
}

import type { Database } from 'bun:sqlite'
import { insert, libraryRows } from './release.ts'
import { makeTreeTables, type TreeVersion } from './tree-schema.ts'
import { type TreeDeed, TreeStory } from './tree-story.ts'

interface TreeLibrary {
  version: TreeVersion
  /** By this version, or at 45 and then brought to it. */
  made: 'new' | 'brought'
  /** What was done in each story. */
  deeds: readonly (readonly TreeDeed[])[]
}

/** Writes a library of stories as trees to a new file. */
export function writeTrees(
  path: string,
  { version, made, deeds }: TreeLibrary,
): { db: Database; written: TreeStory[] } {
  const db = makeTreeTables(path, version, made)
  const { users = [], settings = [], scenarios = [] } = libraryRows()
  for (const [table, rows] of Object.entries({ users, settings, scenarios }))
    for (const row of rows) insert(db, table, row)
  const ids = { branches: 0, actions: 0 }
  const written = deeds.map((list, at) => {
    const story = new TreeStory(at + 1, version)
    for (const one of list) story.apply(one)
    db.transaction(() => story.write(db, ids))()
    return story
  })
  return { db, written }
}

const play: TreeDeed = { do: 'play' }
const [retry, back]: TreeDeed[] = [{ do: 'retry' }, { do: 'go back', turns: 2 }]

/** A closed library with two stories: one with two branches and three attempts at one turn, and one without either. */
export function leaveTrees(path: string, version: TreeVersion = 64): void {
  const branched = [play, play, play, retry, retry, back, play, play, play, play].filter(
    (deed) => deed !== undefined,
  )
  writeTrees(path, { version, made: 'brought', deeds: [branched, [play, play, play]] }).db.close()
}

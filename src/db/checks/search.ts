import { differsFromMemories } from '../search/memory-search.ts'
import { countUnsearched } from '../search.ts'
import type { Check } from './check.ts'

const ANEW = 'Start Inglenook: it reads them anew when it opens the library.'

/** Whether what is looked up by words is what the rows say. */
export const SEARCH_CHECKS: readonly Check[] = [
  {
    name: 'index of memories',
    since: '0007-memory-search.sql',
    advice: ANEW,
    find: (reader) =>
      differsFromMemories(reader) ? ['memories are recalled by other words than they have'] : [],
  },
  {
    name: 'index of the search',
    since: '0011-search.sql',
    advice: ANEW,
    find: (reader) => {
      const rows = countUnsearched(reader)
      return rows === 0 ? [] : [`the search does not know ${rows} rows as they are`]
    },
  },
]

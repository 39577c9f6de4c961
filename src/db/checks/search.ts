import { isMemoryIndexOutdated } from '../search/memory-search.ts'
import { countOutdatedRows } from '../search/story-index.ts'
import type { DoctorCheck } from './check.ts'

const ADVICE = 'Start Inglenook: it updates the index when it opens the library.'

/** Whether the search indexes match the tables. */
export const SEARCH_CHECKS: readonly DoctorCheck[] = [
  {
    name: 'memory index',
    since: '0007-memory-search.sql',
    advice: ADVICE,
    find: (reader) =>
      isMemoryIndexOutdated(reader) ? ['the search index of the memories is out of date'] : [],
  },
  {
    name: 'search index',
    since: '0018-search-by-words.sql',
    advice: ADVICE,
    find: (reader) => {
      const { different } = countOutdatedRows(reader)
      return different === 0 ? [] : [`the search index is out of date for ${different} rows`]
    },
  },
]

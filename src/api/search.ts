import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import type { App } from '../app/app.ts'
import { SEARCH_LIMITS, SearchPage, searchLibrary } from '../app/search-library.ts'
import { JobProgress } from '../app/worker/worker-job.ts'
import { SEARCH_KINDS } from '../domain/search/query.ts'
import { jsonRoutes } from '../http/body.ts'
import { nullable, oneOf } from '../lib/typebox.ts'
import { pageLimit } from './request-params.ts'
import { ok } from './responses.ts'

const query = () =>
  Type.Object({
    q: Type.Optional(
      Type.String({ description: 'Words, their beginnings or "phrases"; put a - in front to exclude one' }),
    ),
    kind: Type.Optional(oneOf(SEARCH_KINDS)),
    adventure: Type.Optional(t.Integer({ description: 'Only within this adventure' })),
    limit: pageLimit(SEARCH_LIMITS.page, SEARCH_LIMITS.longest),
    before: Type.Optional(t.Integer({ description: '`next` of the previous page' })),
  })

/** `indexing` is the progress of building the index; null when complete. */
const SearchAnswer = Type.Composite([SearchPage, Type.Object({ indexing: nullable(JobProgress) })])

export const searchApi = (app: App) =>
  jsonRoutes('/api/search', 'Search').get(
    '',
    ({ query: { q = '', ...range } }) => ({
      ...searchLibrary(app.reader, q, range),
      indexing: app.indexing.progress,
    }),
    {
      query: query(),
      response: ok(SearchAnswer, 'invalid'),
      detail: { summary: 'Search stories, scenarios, cards, memories and passages' },
    },
  )

import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import type { Deps } from '../app/deps.ts'
import { search } from '../app/search.ts'
import { SEARCH_KINDS } from '../domain/search/kinds.ts'
import { jsonRoutes } from '../http/body.ts'
import { searchOut } from './shapes.ts'

/** Every text of the library by what it says. */
export const searchApi = (deps: Deps) =>
  jsonRoutes('/api/search', 'Search').get(
    '',
    ({ query: { q = '', ...range } }) => search(deps.library.reader, q, range),
    {
      query: Type.Object({
        q: Type.Optional(
          Type.String({ description: 'Words, "phrases", and either with a - for what must not be there' }),
        ),
        kind: Type.Optional(Type.Union(SEARCH_KINDS.map((kind) => Type.Literal(kind)))),
        adventure: Type.Optional(t.Integer({ description: 'Only what belongs to this adventure' })),
        limit: Type.Optional(t.Integer()),
        before: Type.Optional(t.Integer({ description: '`next` of the page before' })),
      }),
      response: searchOut(),
      detail: { summary: 'Find stories, scenarios, cards, memories and passages by their words' },
    },
  )

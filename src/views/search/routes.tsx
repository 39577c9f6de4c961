import { Elysia } from 'elysia'
import type { App } from '../../app/app.ts'
import { pageResponse } from '../respond.tsx'
import { SearchPage } from './search.tsx'
import { searchProps } from './search-props.ts'

export const searchRoutes = (app: App) =>
  new Elysia({ detail: { hide: true } }).get('/search', ({ query }) =>
    pageResponse(<SearchPage {...searchProps(app, query)} />),
  )

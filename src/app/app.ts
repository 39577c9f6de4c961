import type { Reader } from '../db/database.ts'
import type { Deps } from './deps.ts'
import * as useCases from './use-cases.ts'

type UseCase = (deps: Deps, ...rest: never[]) => unknown

type Bound<F> = F extends (deps: Deps, ...rest: infer Rest) => infer Result
  ? (...rest: Rest) => Result
  : never

type BoundUseCases = { [Name in keyof typeof useCases]: Bound<(typeof useCases)[Name]> }

/** Dependencies that the API and the pages are given unchanged. */
const SHARED = [
  'now',
  'locks',
  'live',
  'recordings',
  'idle',
  'turnCounts',
  'plans',
  'imports',
  'indexing',
  'practicePace',
  'engine',
] as const satisfies readonly (keyof Deps)[]

/**
 * The application as the API and the pages see it: `reader` to read, use cases to change things. The library and its
 * `write` stay inside.
 */
export interface App extends BoundUseCases, Pick<Deps, (typeof SHARED)[number]> {
  reader: Reader
}

export function createApp(deps: Deps): App {
  const bound = Object.entries<UseCase>(useCases).map(([name, run]) => [
    name,
    (...rest: never[]) => run(deps, ...rest),
  ])
  const shared = SHARED.map((name) => [name, deps[name]])
  const members: Omit<App, 'reader'> = Object.fromEntries([...bound, ...shared])
  return { ...members, reader: deps.library.reader }
}

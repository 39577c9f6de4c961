import { AsyncLocalStorage } from 'node:async_hooks'
import type { StoryError } from '../domain/errors.ts'

/** Default format: 4 January 2025, 12,345. */
const DEFAULT_LOCALE = 'en-GB'

interface Current {
  locale: string
  encodings: string
  problem: StoryError | null
}

const current = new AsyncLocalStorage<Current>()

/**
 * Wraps a request handler, so that the functions below know its reader. `findProblem` says why nothing can be saved.
 */
export const forReader =
  (findProblem: () => StoryError | null) =>
  <R extends { headers: Headers }, T>(answer: (request: R) => T): ((request: R) => T) =>
  (request) => {
    const locale = localeFrom(request.headers.get('accept-language') ?? '')
    const encodings = request.headers.get('accept-encoding') ?? ''
    return current.run({ locale, encodings, problem: findProblem() }, () => answer(request))
  }

/** BCP 47 tag: English, with the dates and numbers of the reader's country. */
export function readerLocale(): string {
  return current.getStore()?.locale ?? DEFAULT_LOCALE
}

export function acceptedEncodings(): string {
  return current.getStore()?.encodings ?? ''
}

export function libraryProblem(): StoryError | null {
  return current.getStore()?.problem ?? null
}

const REGIONS = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** Cache of one: a browser sends the same header with each request. */
let last = { header: '', locale: DEFAULT_LOCALE }

/** Locale of the first language in an Accept-Language header (RFC 9110, 12.5.4). */
export function localeFrom(header: string): string {
  if (header !== last.header) last = { header, locale: readLocale(header) }
  return last.locale
}

function readLocale(header: string): string {
  const [first = ''] = header.split(/[,;]/, 1)
  try {
    const { region = '' } = new Intl.Locale(first.trim()).maximize()
    return REGIONS.of(region) === undefined ? DEFAULT_LOCALE : `en-${region}`
  } catch {
    return DEFAULT_LOCALE
  }
}

import { AsyncLocalStorage } from 'node:async_hooks'

/** Where the browser names no language: 4 January 2025, 12,345. */
const DEFAULT_LOCALE = 'en-GB'

const current = new AsyncLocalStorage<string>()

/** Answers a request in the locale of its reader, which `readerLocale` then knows wherever the answer is made. */
export function inReaderLocale<R extends { headers: Headers }, T>(
  answer: (request: R) => T,
): (request: R) => T {
  return (request) =>
    current.run(localeFrom(request.headers.get('accept-language') ?? ''), () => answer(request))
}

/** English, which the pages are in, with the dates and numbers of the reader's country, as a BCP 47 tag. */
export function readerLocale(): string {
  return current.getStore() ?? DEFAULT_LOCALE
}

const REGIONS = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** The locale that an Accept-Language header asks for first (RFC 9110, 12.5.4). */
export function localeFrom(header: string): string {
  const [first = ''] = header.split(/[,;]/, 1)
  try {
    const { region = '' } = new Intl.Locale(first.trim()).maximize()
    return REGIONS.of(region) === undefined ? DEFAULT_LOCALE : `en-${region}`
  } catch {
    return DEFAULT_LOCALE
  }
}

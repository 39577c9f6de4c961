import { StoryError } from '../domain/errors.ts'
import { PAGE_HEADERS } from '../http/headers.ts'
import { asStoryError, statusOf } from '../http/problem.ts'
import { type Did, withDid } from './did.tsx'
import type { Markup } from './jsx/jsx-runtime.ts'
import { pageHtml } from './layout.tsx'
import { NothingPage, RefusedPage } from './library/library.tsx'

/** The fields of a form that are text. */
export type Fields = Record<string, string>

export function fieldsOf(body: unknown): Fields {
  if (body === null || typeof body !== 'object') return {}
  const texts = Object.entries(body).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  // A form sends its line ends as CRLF.
  return Object.fromEntries(texts.map(([name, text]) => [name, text.replace(/\r\n?/g, '\n')]))
}

/** The number in a path or field; 0, which names nothing, for anything else. */
export function idFrom(text: string | undefined): number {
  return /^\d{1,15}$/.test(text ?? '') ? Number(text) : 0
}

/** Whether a fragment is asked for, not a page. */
export function isFragment(request: Request): boolean {
  return request.headers.get('hx-request') === 'true'
}

export function htmlAnswer(html: string, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(html, {
    status,
    headers: { ...PAGE_HEADERS, 'Content-Type': 'text/html; charset=utf-8', ...headers },
  })
}

export function pageAnswer(page: Markup, status = 200): Response {
  return htmlAnswer(pageHtml(page), status)
}

/** Sends the browser to a page after a deed, so that a reload does not do it again; the page says what was done. */
export function seeOther(request: Request, to: string, did?: Did): Response {
  const path = did === undefined ? to : withDid(to, did)
  // htmx follows by itself, with a whole page.
  if (isFragment(request)) return htmlAnswer('', 200, { 'HX-Redirect': path })
  return new Response(null, { status: 303, headers: { ...PAGE_HEADERS, Location: path } })
}

// What refuses a form, or answers it with a page, stands at an address that cannot be asked for again.
const PAGES_WITH_FORMS = /^\/(?:adventures(?:\/\d+)?|settings)?$/

/** The page of ours that a form was sent from, with what its address says; another one when that is not known. */
export function cameFrom(request: Request, otherwise: string): string {
  const from = URL.parse(request.headers.get('referer') ?? '')
  const isPage = from?.host === new URL(request.url).host && PAGES_WITH_FORMS.test(from.pathname)
  return from && isPage ? from.pathname + from.search : otherwise
}

/**
 * Answers a form. A refusal shows the page again with the sentence on top and all that was typed; with htmx the
 * sentence alone, in the place for it.
 */
export async function formAnswer(
  request: Request,
  deed: () => Response | Promise<Response>,
  page: (sentence: string, fault: StoryError) => Markup,
): Promise<Response> {
  try {
    return await deed()
  } catch (error) {
    const fault = asStoryError(error, `a form of ${new URL(request.url).pathname.replace(/\d+/g, '{id}')}`)
    return refusal(request, fault, () => orNothing(() => page(fault.message, fault), fault))
  }
}

/** Answers what no form has looked at: it is refused before, or there is nothing at its address. */
export function refusalAnswer(request: Request, fault: StoryError): Response {
  const isNothing = fault.code === 'not_found'
  return refusal(request, fault, () =>
    isNothing ? <NothingPage sentence={fault.message} /> : <RefusedPage sentence={fault.message} />,
  )
}

function refusal(request: Request, fault: StoryError, page: () => Markup): Response {
  if (!isFragment(request)) return pageAnswer(page(), statusOf(fault))
  return htmlAnswer((<p>{fault.message}</p>).html, statusOf(fault), {
    'HX-Retarget': '#notice',
    'HX-Reswap': 'innerHTML',
  })
}

/** A page, or the one that says that there is nothing. */
export function pageOrNothing(page: () => Markup): Response {
  try {
    return pageAnswer(page())
  } catch (error) {
    if (error instanceof StoryError && error.code === 'not_found')
      return pageAnswer(<NothingPage sentence={error.message} />)
    throw error
  }
}

function orNothing(page: () => Markup, fault: StoryError): Markup {
  try {
    return page()
  } catch {
    return <NothingPage sentence={fault.message} />
  }
}

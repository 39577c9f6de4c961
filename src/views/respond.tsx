import { StoryError } from '../domain/errors.ts'
import { codingFor, FASTEST } from '../http/compression.ts'
import { acceptedEncodings } from '../http/current-reader.ts'
import { PAGE_HEADERS } from '../http/headers.ts'
import { asStoryError, statusOf } from '../http/problem.ts'
import { waitingResponse } from './devices/waiting.ts'
import { NotFoundPage, RefusedPage } from './error-pages.tsx'
import { type Flash, withFlash } from './flash.tsx'
import { Markup } from './jsx/jsx-runtime.ts'
import { pageHtml } from './layout.tsx'

export type FormFields = Record<string, string>

export function fieldsOf(body: unknown): FormFields {
  if (body === null || typeof body !== 'object') return {}
  const texts = Object.entries(body).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  // A form sends its line ends as CRLF.
  return Object.fromEntries(texts.map(([name, text]) => [name, text.replace(/\r\n?/g, '\n')]))
}

/** The id in a path or field; 0, which no row has, for anything else. */
export function idFrom(text: string | undefined): number {
  return /^\d{1,15}$/.test(text ?? '') ? Number(text) : 0
}

/** True for htmx, which asks for a fragment instead of a page. */
export function isFragment(request: Request): boolean {
  return request.headers.get('hx-request') === 'true'
}

export function htmlResponse(
  content: Markup | string | Uint8Array<ArrayBuffer>,
  status = 200,
  headers: Record<string, string> = {},
): Response {
  return new Response(content instanceof Markup ? content.html : content, {
    status,
    headers: { ...PAGE_HEADERS, 'Content-Type': 'text/html; charset=utf-8', ...headers },
  })
}

export function pageResponse(page: Markup, status = 200): Response {
  const html = pageHtml(page)
  const coding = codingFor(acceptedEncodings(), FASTEST)
  if (coding === undefined) return htmlResponse(html, status)
  const headers = { 'Content-Encoding': coding.name, Vary: 'Accept-Encoding' }
  return htmlResponse(coding.compress(new TextEncoder().encode(html)), status, headers)
}

/** Redirects, so that a reload does not send the form again. */
export function seeOther(request: Request, to: string, did?: Flash): Response {
  // htmx loads the whole page itself.
  if (isFragment(request)) return htmlResponse('', 200, { 'HX-Redirect': did ? withFlash(to, did) : to })
  return seePanel(to, did)
}

/** Redirects within a panel: htmx takes the panel from the response without leaving the page. */
export function seePanel(to: string, did?: Flash): Response {
  const path = did === undefined ? to : withFlash(to, did)
  return new Response(null, { status: 303, headers: { ...PAGE_HEADERS, Location: path } })
}

// The response to a refused form has the form's address, which cannot be loaded again by GET.
const PAGES_WITH_FORMS = /^\/(?:adventures(?:\/\d+)?|settings)?$/

/** The page that a form was sent from, with its query; `fallback` if that is not known. */
export function refererPath(request: Request, fallback: string): string {
  const from = URL.parse(request.headers.get('referer') ?? '')
  const isPage = from?.host === new URL(request.url).host && PAGES_WITH_FORMS.test(from.pathname)
  return from && isPage ? from.pathname + from.search : fallback
}

/** A refusal shows the page again with the reason and everything typed; for htmx, just the reason. */
export async function formResponse(
  request: Request,
  handle: () => Response | Promise<Response>,
  page: (sentence: string, fault: StoryError) => Markup,
): Promise<Response> {
  try {
    return await handle()
  } catch (error) {
    const fault = asStoryError(error, `a form of ${new URL(request.url).pathname.replace(/\d+/g, '{id}')}`)
    return refusal(request, fault, () => orNotFound(() => page(fault.message, fault), fault))
  }
}

/** For requests that were refused before any handler, or whose address leads nowhere. */
export function refusalResponse(request: Request, fault: StoryError): Response {
  if (fault.code === 'device_not_allowed' && !isFragment(request)) return waitingResponse()
  const isNotFound = fault.code === 'not_found'
  return refusal(request, fault, () =>
    isNotFound ? <NotFoundPage sentence={fault.message} /> : <RefusedPage sentence={fault.message} />,
  )
}

function refusal(request: Request, fault: StoryError, page: () => Markup): Response {
  if (!isFragment(request)) return pageResponse(page(), statusOf(fault))
  const notice = noticeOf(request)
  return htmlResponse(<p>{fault.message}</p>, statusOf(fault), {
    'HX-Retarget': notice,
    'HX-Reswap': notice === '#panel-notice' ? 'innerHTML show:top' : 'innerHTML',
    'HX-Reselect': 'p',
  })
}

/** The element for a reason: in the panel, which on a phone covers the page, else above the text box. */
function noticeOf(request: Request): string {
  const target = request.headers.get('hx-target') ?? ''
  if (request.method === 'POST' && target.endsWith('#panel')) return '#panel-notice'
  return target.endsWith('#world-notice') ? '#world-notice' : '#notice'
}

export function pageOrNotFound(page: () => Markup): Response {
  try {
    return pageResponse(page())
  } catch (error) {
    if (error instanceof StoryError && error.code === 'not_found')
      return pageResponse(<NotFoundPage sentence={error.message} />)
    throw error
  }
}

function orNotFound(page: () => Markup, fault: StoryError): Markup {
  try {
    return page()
  } catch {
    return <NotFoundPage sentence={fault.message} />
  }
}

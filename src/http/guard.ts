import { Elysia } from 'elysia'
import { type ErrorCode, StoryError } from '../domain/errors.ts'
import { MAX_BUNDLE_BYTES, MAX_IMPORT_BYTES } from '../domain/limits.ts'
import { API_HEADERS, PAGE_HEADERS } from './headers.ts'
import { NO_LENGTH, problemResponse } from './problem.ts'
import { currentVisitor } from './visitor.ts'

export interface Access {
  /** `name:port` in lower case; a bare `name` is for a proxy on a default port. */
  hosts: () => ReadonlySet<string>
  /** Hosts in APP_ALLOWED_HOSTS, where a proxy may use TLS. */
  listedHosts: () => ReadonlySet<string>
  origins: ReadonlySet<string>
}

/** Bytes of a request body; imports may be larger. */
export const MAX_BODY = 2 * 1024 * 1024

const SHOWN_AS_PAGE = new Set<ErrorCode>(['too_large', 'device_not_allowed'])

/** The only API route with a body of any type. Host and origin are checked there too. */
const ANY_FILE = '/api/import'
const IMPORT_FORM = '/import'

/**
 * Protects every route, file and error page against CSRF and DNS rebinding. Without passwords, it relies on Host, Origin and
 * Sec-Fetch-Site (https://www.w3.org/TR/fetch-metadata/).
 */
export const guard = (access: Access) =>
  new Elysia({ name: 'guard' }).onRequest(({ request, set }) => {
    const api = isApi(request)
    Object.assign(set.headers, api ? API_HEADERS : PAGE_HEADERS)
    const refused = refusalOf(request, access)
    // A player gets a page instead of JSON.
    if (refused && !api && SHOWN_AS_PAGE.has(refused.code)) throw refused
    if (refused) return problemResponse(refused, api ? API_HEADERS : PAGE_HEADERS)
    if (!api || !isListed(request, access)) return
    Object.assign(set.headers, corsHeaders(request))
    if (request.method === 'OPTIONS')
      return new Response(null, {
        status: 204,
        headers: { ...API_HEADERS, ...corsHeaders(request), ...PREFLIGHT },
      })
  })

function refusalOf(request: Request, access: Access): StoryError | null {
  return (
    checkHost(request, access) ??
    checkOrigin(request, access) ??
    checkDevice() ??
    checkUpgrade(request) ??
    checkPath(request) ??
    checkBody(request)
  )
}

function checkHost(request: Request, { hosts }: Access): StoryError | null {
  const host = hostOf(request.headers)
  if (host === '' || host.includes(','))
    return new StoryError('malformed_body', 'The request must have exactly one Host header.')
  const visitor = currentVisitor()
  if (visitor ? host === visitor.host : hosts().has(host)) return null
  const advice = visitor
    ? `Use ${visitor.host}.`
    : 'Use 127.0.0.1 or localhost, or add the name to APP_ALLOWED_HOSTS.'
  return new StoryError(
    'host_not_allowed',
    `Inglenook does not accept requests for "${host.slice(0, 100)}". ${advice}`,
  )
}

function checkDevice(): StoryError | null {
  const visitor = currentVisitor()
  if (visitor === null || visitor.allowed) return null
  const code = visitor.wait()
  return new StoryError(
    'device_not_allowed',
    code === null
      ? 'This device has no access, and too many others are waiting. Try again in a minute.'
      : `This device has no access. On the machine that runs Inglenook, open Settings, Read on another device, and allow the device with the word ${code}.`,
  )
}

function checkOrigin(request: Request, access: Access): StoryError | null {
  if (isSameOrigin(request, access)) return null
  const isAllowed = isApi(request)
    ? isListed(request, access)
    : isRead(request) && (pathOf(request).startsWith('/public/') || isPageNavigation(request))
  if (isAllowed) return null
  return new StoryError(
    'origin_not_allowed',
    'The request came from another web page. Only pages of Inglenook may send it.',
  )
}

/** True for our own pages, typed addresses and programs. */
function isSameOrigin({ headers }: Request, { listedHosts }: Access): boolean {
  const origin = headers.get('origin')
  const host = hostOf(headers)
  const schemes = listedHosts().has(host) ? ['http://', 'https://'] : ['http://']
  const isOwn = (from: string) => schemes.some((scheme) => normalizedHost(from) === scheme + host)
  if (origin !== null && !isOwn(origin)) return false
  const site = headers.get('sec-fetch-site')
  if (site !== null) return ['same-origin', 'none'].includes(site)
  // Over plain http, browsers send Sec-Fetch-Site only to this machine.
  const page = URL.parse(headers.get('referer') ?? '')
  return page === null || isOwn(page.origin)
}

// Loaded as a picture, in a frame or in advance, a page would reveal by its timing what is in the library.
function isPageNavigation({ headers }: Request): boolean {
  // Over plain http, the Accept header takes the place of Sec-Fetch-Mode.
  const isBare = !headers.has('sec-fetch-site') && !headers.has('origin')
  const asksForPage = isBare && /\btext\/html\b/.test(headers.get('accept') ?? '')
  const isNavigation = asksForPage || headers.get('sec-fetch-mode') === 'navigate'
  const target = headers.get('sec-fetch-dest') ?? 'document'
  return isNavigation && target === 'document' && !headers.has('sec-purpose')
}

// Other upgrades are offers that a server may ignore (RFC 9110, 7.8).
function checkUpgrade(request: Request): StoryError | null {
  if (!/\bwebsocket\b/i.test(request.headers.get('upgrade') ?? '')) return null
  return new StoryError('malformed_body', 'Inglenook does not support WebSockets.')
}

function checkPath(request: Request): StoryError | null {
  const pathname = pathOf(request)
  if (isApi(request) && !/[;#]/.test(pathname)) return null
  const normalized = decoded(pathname)
    .replace(/\\/g, '/')
    .replace(/\/{2,}/g, '/')
    .toLowerCase()
  return /^\/api(\/|;|#|$)/.test(normalized)
    ? new StoryError('not_found', 'There is nothing at this address.')
    : null
}

function checkBody(request: Request): StoryError | null {
  if (isRead(request) || request.method === 'OPTIONS') return null
  const length = request.headers.get('content-length')
  if (length !== null && !/^\d+$/.test(length))
    return new StoryError('malformed_body', 'Content-Length must be a number.')
  if (length === null && request.headers.has('transfer-encoding'))
    return new StoryError('too_large', 'The request needs a Content-Length header.', { reason: NO_LENGTH })
  const limit = bodyLimit(pathOf(request))
  if (Number(length ?? 0) > limit)
    return new StoryError('too_large', `The request is too large: the limit is ${limit / 1024 / 1024} MB.`)
  if (Number(length ?? 0) === 0) return null
  const encoding = request.headers.get('content-encoding') ?? 'identity'
  const isJson = /^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? '')
  const takesAnyType = !isApi(request) || pathOf(request) === ANY_FILE
  if (encoding === 'identity' && (isJson || takesAnyType)) return null
  return new StoryError('json_required', 'Send the body as uncompressed application/json.')
}

export function isApi(request: Request): boolean {
  const pathname = pathOf(request)
  return pathname === '/api' || pathname.startsWith('/api/')
}

// Parsed like the router does: some Host values are not valid in a URL.
function pathOf(request: Request): string {
  return /^(?:https?:\/\/[^/]*)?([^?]*)/.exec(request.url)?.[1] ?? ''
}

function isRead(request: Request): boolean {
  return request.method === 'GET' || request.method === 'HEAD'
}

function isListed(request: Request, { origins }: Access): boolean {
  return currentVisitor() === null && origins.has(request.headers.get('origin') ?? '')
}

// A trailing dot and letter case do not change which host is meant.
function hostOf(headers: Headers): string {
  return normalizedHost(headers.get('host') ?? '')
}

function normalizedHost(host: string): string {
  return host
    .trim()
    .toLowerCase()
    .replace(/\.(?=:\d+$|$)/, '')
}

function corsHeaders(request: Request): Record<string, string> {
  return { 'Access-Control-Allow-Origin': request.headers.get('origin') ?? '', Vary: 'Origin' }
}

const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers': 'Content-Type, If-None-Match',
  'Access-Control-Max-Age': '600',
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

// Imports above their own limit are refused by their first bytes, unless they are our own bundles.
function bodyLimit(path: string): number {
  if (path === ANY_FILE || path === IMPORT_FORM) return MAX_BUNDLE_BYTES
  return path.endsWith('/import') ? MAX_IMPORT_BYTES : MAX_BODY
}

import { Elysia } from 'elysia'
import { StoryError } from '../domain/errors.ts'
import { API_HEADERS, PAGE_HEADERS } from './headers.ts'
import { NO_LENGTH, problemAnswer } from './problem.ts'

/** By which names the service may be called, and by whom. */
export interface Access {
  /** `name:port` in lower case; a bare `name` stands for the default port of a proxy in front. */
  hosts: () => ReadonlySet<string>
  /** Exact origins, besides our own, that may use the API. */
  origins: ReadonlySet<string>
}

/** The most bytes that a body may have, and the body of an import. */
export const BODY = 2 * 1024 * 1024
export const IMPORT_BODY = 20 * 1024 * 1024

/** The one address of the API whose body is a file of any type. Who asks is judged there as everywhere. */
const ANY_FILE = '/api/import'

/**
 * Stands before every route, file and error: the service knows no password, so who asks is judged by Host, Origin
 * and fetch site (specification 5.3; Fetch metadata, https://www.w3.org/TR/fetch-metadata/).
 */
export const guard = (access: Access) =>
  new Elysia({ name: 'guard' }).onRequest(({ request, set }) => {
    const api = isApi(request)
    Object.assign(set.headers, api ? API_HEADERS : PAGE_HEADERS)
    const refused = judgeRequest(request, access)
    // Whoever chose too large a file looks at a page, and gets one.
    if (refused?.code === 'too_large' && !api) throw refused
    if (refused) return problemAnswer(refused, api ? API_HEADERS : PAGE_HEADERS)
    if (!api || !isListed(request, access)) return
    Object.assign(set.headers, corsHeaders(request))
    if (request.method === 'OPTIONS')
      return new Response(null, {
        status: 204,
        headers: { ...API_HEADERS, ...corsHeaders(request), ...PREFLIGHT },
      })
  })

function judgeRequest(request: Request, access: Access): StoryError | null {
  return (
    judgeHost(request, access) ??
    judgeOrigin(request, access) ??
    judgeUpgrade(request) ??
    judgePath(request) ??
    judgeBody(request)
  )
}

function judgeHost(request: Request, { hosts }: Access): StoryError | null {
  const host = hostOf(request)
  if (host === '' || host.includes(','))
    return new StoryError('malformed_body', 'The request must name one Host.')
  if (hosts().has(host)) return null
  return new StoryError(
    'host_not_allowed',
    `Inglenook does not answer to the name "${host.slice(0, 100)}". Use 127.0.0.1 or localhost, or list the name in APP_ALLOWED_HOSTS.`,
  )
}

function judgeOrigin(request: Request, access: Access): StoryError | null {
  const api = isApi(request)
  if (!api && isRead(request)) return null
  if (api && isListed(request, access)) return null
  const origin = request.headers.get('origin')
  const site = request.headers.get('sec-fetch-site')
  const isOwn = origin === null || isOwnOrigin(origin, hostOf(request))
  if (isOwn && (site === null || site === 'same-origin' || site === 'none')) return null
  return new StoryError('origin_not_allowed', 'Another page asked for this, and only Inglenook itself may.')
}

// No page of ours opens one. Other upgrades are offers that may be passed over (RFC 9110, 7.8).
function judgeUpgrade(request: Request): StoryError | null {
  if (!/\bwebsocket\b/i.test(request.headers.get('upgrade') ?? '')) return null
  return new StoryError('malformed_body', 'Inglenook speaks plain HTTP and opens no WebSocket.')
}

function judgePath(request: Request): StoryError | null {
  const pathname = pathOf(request)
  if (isApi(request) && !/[;#]/.test(pathname)) return null
  const meant = decoded(pathname)
    .replace(/\\/g, '/')
    .replace(/\/{2,}/g, '/')
    .toLowerCase()
  return /^\/api(\/|;|#|$)/.test(meant)
    ? new StoryError('not_found', 'There is nothing at this address.')
    : null
}

function judgeBody(request: Request): StoryError | null {
  if (isRead(request) || request.method === 'OPTIONS') return null
  const length = request.headers.get('content-length')
  if (length !== null && !/^\d+$/.test(length))
    return new StoryError('malformed_body', 'Content-Length must be a number.')
  if (length === null && request.headers.has('transfer-encoding'))
    return new StoryError('too_large', 'Send the body with a Content-Length.', { reason: NO_LENGTH })
  const limit = pathOf(request).endsWith('/import') ? IMPORT_BODY : BODY
  if (Number(length ?? 0) > limit)
    return new StoryError('too_large', `At most ${limit / 1024 / 1024} MB can be sent here.`)
  if (Number(length ?? 0) === 0) return null
  const encoding = request.headers.get('content-encoding') ?? 'identity'
  const isJson = /^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? '')
  const isFree = !isApi(request) || pathOf(request) === ANY_FILE
  if (encoding === 'identity' && (isJson || isFree)) return null
  return new StoryError('json_required', 'Send the body as application/json, without compression.')
}

/** Whether a request is for the JSON face. */
export function isApi(request: Request): boolean {
  const pathname = pathOf(request)
  return pathname === '/api' || pathname.startsWith('/api/')
}

// Read as the router reads it, whatever the Host in front of it is: some are no part of any URL.
function pathOf(request: Request): string {
  return /^(?:https?:\/\/[^/]*)?([^?]*)/.exec(request.url)?.[1] ?? ''
}

function isRead(request: Request): boolean {
  return request.method === 'GET' || request.method === 'HEAD'
}

function isListed(request: Request, { origins }: Access): boolean {
  return origins.has(request.headers.get('origin') ?? '')
}

// A trailing dot names the same host; letter case never matters.
function hostOf(request: Request): string {
  return plainName(request.headers.get('host') ?? '')
}

function plainName(host: string): string {
  return host
    .trim()
    .toLowerCase()
    .replace(/\.(?=:\d+$|$)/, '')
}

function isOwnOrigin(origin: string, host: string): boolean {
  return ['http://', 'https://'].some((scheme) => plainName(origin) === scheme + host)
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

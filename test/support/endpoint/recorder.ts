import { afterAll, afterEach, expect } from 'bun:test'
import http from 'node:http'
import https from 'node:https'
import { isAllowedTarget } from './allowed-targets.ts'

/**
 * Records every outbound request of the service, in every test. A test fails if the service contacts anything but the
 * endpoints that the tests have started or named.
 */
const asked: string[] = []
/** How many of them were checked after earlier tests. */
let seen = 0
let isFree = false

/** Allows any target: for tests of the transport itself. */
export function allowAnyTarget(): void {
  isFree = true
  afterAll(() => {
    isFree = false
  })
}

let isQuiet = false

/** Nobody answers at any other target: for tests that save addresses, at which the service then looks. */
export function turnOthersAway(): void {
  isQuiet = true
  afterAll(() => {
    isQuiet = false
  })
}

/** An address of this machine at which nobody listens. */
const NOWHERE = { hostname: '127.0.0.1', port: 1 }

for (const module of [http, https]) {
  const request = module.request.bind(module) as (...given: unknown[]) => http.ClientRequest
  const recorded = (...given: unknown[]) => {
    const [options] = given as [{ hostname?: string; port?: string | number }]
    const place = `${options.hostname}:${options.port || (module === https ? 443 : 80)}`
    if (isQuiet && !isAllowedTarget(place)) return request({ ...options, ...NOWHERE })
    asked.push(place)
    return request(...given)
  }
  Object.assign(module, { request: recorded })
}

const own = globalThis.fetch
Object.assign(globalThis, {
  fetch: Object.assign((...given: Parameters<typeof own>) => {
    // The service must not use fetch.
    if (new Error().stack?.includes('/src/')) asked.push(`fetch ${given[0]}`)
    return own(...given)
  }, own),
})

afterEach(() => {
  const unseen = asked.slice(seen)
  seen = asked.length
  expect(isFree ? [] : unseen.filter((place) => !isAllowedTarget(place))).toEqual([])
})

import { afterAll, afterEach, expect } from 'bun:test'
import http from 'node:http'
import https from 'node:https'
import { isMeant } from './allowed-targets.ts'

/**
 * Stands under the transport in every test: whatever the service asks for is written down, and a test fails that made it
 * ask anybody but the endpoints that the tests themselves have started or named.
 */
const asked: string[] = []
/** How many of them were looked at after a test. */
let seen = 0
let isFree = false

/** The tests of this file are about the way out itself, and ask where nobody was started. */
export function meanAnywhere(): void {
  isFree = true
  afterAll(() => {
    isFree = false
  })
}

for (const module of [http, https]) {
  const request = module.request.bind(module) as (...given: unknown[]) => http.ClientRequest
  const recorded = (...given: unknown[]) => {
    const [options] = given as [{ hostname?: string; port?: string | number }]
    asked.push(`${options.hostname}:${options.port || (module === https ? 443 : 80)}`)
    return request(...given)
  }
  Object.assign(module, { request: recorded })
}

const own = globalThis.fetch
Object.assign(globalThis, {
  fetch: Object.assign((...given: Parameters<typeof own>) => {
    // The service has one way out, and it is not this one.
    if (new Error().stack?.includes('/src/')) asked.push(`fetch ${given[0]}`)
    return own(...given)
  }, own),
})

afterEach(() => {
  const unseen = asked.slice(seen)
  seen = asked.length
  expect(isFree ? [] : unseen.filter((place) => !isMeant(place))).toEqual([])
})

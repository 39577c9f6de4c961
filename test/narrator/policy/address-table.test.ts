import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { StoryError } from '../../../src/domain/errors.ts'
import { judge } from '../../../src/narrator/policy.ts'
import {
  type Address,
  EMBEDDINGS,
  RANGES_4,
  RANGES_6,
  type Range,
  spellings,
  verdictOn,
} from '../../support/endpoint/address-table.ts'
import { startServer } from '../../support/service/server.ts'

const ADDRESSES = 100_000
/** Of these, so many are saved in the settings of a service too, each in one spelling. */
const SAVED = 3_000

const MOST_4 = 0xffff_ffffn
const MOST_6 = (1n << 128n) - 1n

/** The ends of every range, what lies beside them, and what lies anywhere within. */
const edges = (ranges: readonly Range[], most: bigint) =>
  fc
    .tuple(
      fc.constantFrom(...ranges),
      fc.constantFrom('first', 'last', 'before', 'behind', 'within'),
      fc.bigInt(0n, most),
    )
    .map(([{ first, last }, where, any]) => {
      const within = first + (any % (last - first + 1n))
      const value = { first, last, before: first - 1n, behind: last + 1n, within }[where] ?? within
      return value < 0n || value > most ? within : value
    })

const number4 = fc.oneof({ arbitrary: edges(RANGES_4, MOST_4), weight: 4 }, fc.bigInt(0n, MOST_4))
const blocks = EMBEDDINGS.map(({ first, bits }) => ({
  first,
  last: first + (1n << BigInt(128 - bits)) - 1n,
  refused: null,
}))
const embedding = fc
  .tuple(fc.constantFrom(...EMBEDDINGS), number4, fc.bigInt(0n, MOST_6))
  .map(([{ first, behind }, inner, any]) => first | (inner << behind) | (any & ((1n << behind) - 1n)))
/** An address of IPv4 at the end of any block, as ISATAP and others write it, stands for nothing (RFC 5214). */
const tail = fc
  .tuple(edges(RANGES_6, MOST_6), number4)
  .map(([value, inner]) => (value & ~0xffff_ffff_ffff_ffffn) | (0x5efen << 32n) | inner)

const address: fc.Arbitrary<Address> = fc.oneof(
  number4.map((value): Address => ({ family: 4, value })),
  fc
    .oneof(edges(RANGES_6, MOST_6), edges(blocks, MOST_6), embedding, tail, fc.bigInt(0n, MOST_6))
    .map((value): Address => ({ family: 6, value })),
)

const noName = () => Promise.reject(new Error('looked up'))

async function verdictOf(host: string): Promise<string | null> {
  try {
    await judge(`http://${host}:8080/v1`, noName)
    return null
  } catch (error) {
    if (!(error instanceof StoryError) || error.code !== 'endpoint_refused') throw error
    return classIn(error.message)
  }
}

function classIn(sentence: string): string {
  return / is (.*?)(?: \([^()]*\))?\. Stories stay on your own network\.$/.exec(sentence)?.[1] ?? sentence
}

describe('against the table of the registries', () => {
  test(`58 59 60 61: ${ADDRESSES} addresses are judged alike, in every spelling`, async () => {
    const verdicts = new Set<string | null>()
    await fc.assert(
      fc.asyncProperty(address, async (one) => {
        const expected = verdictOn(one)
        verdicts.add(expected)
        for (const host of spellings(one))
          if ((await verdictOf(host)) !== expected)
            expect([host, await verdictOf(host)]).toEqual([host, expected])
      }),
      { numRuns: ADDRESSES, endOnFailure: true },
    )
    // The table was asked for everything it knows.
    const known = [...RANGES_4, ...RANGES_6].map(({ refused }) => refused)
    expect(verdicts).toEqual(new Set(known))
  }, 120_000)

  test(`58 59 60 61: ${SAVED} of them are saved or refused by the settings`, async () => {
    const server = await startServer()
    await fc.assert(
      fc.asyncProperty(address, fc.nat(), async (one, which) => {
        const written = spellings(one)
        const endpoint_url = `http://${written[which % written.length]}:8080/v1`
        const { status, body } = await server.send('PUT', '/api/settings', { endpoint_url })
        const expected = verdictOn(one)
        if (expected === null) expect([status, body.endpoint_url]).toEqual([200, endpoint_url])
        else
          expect([endpoint_url, status, body.code, classIn(body.detail)]).toEqual([
            endpoint_url,
            422,
            'endpoint_refused',
            expected,
          ])
      }),
      { numRuns: SAVED, endOnFailure: true },
    )
  }, 120_000)
})

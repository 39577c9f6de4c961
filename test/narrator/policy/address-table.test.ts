import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { StoryError } from '../../../src/domain/errors.ts'
import { checkEndpoint } from '../../../src/narrator/policy/policy.ts'
import { depth } from '../../support/depth.ts'
import {
  type Address,
  EMBEDDINGS,
  RANGES_4,
  RANGES_6,
  type Range,
  spellings,
  TUNNELS,
  verdictOn,
} from '../../support/endpoint/address-table.ts'
import { turnOthersAway } from '../../support/endpoint/recorder.ts'
import { startServer } from '../../support/service/server.ts'

turnOthersAway()

const ADDRESSES = depth('ADDRESSES')
/** Number of them that are also saved in the settings of a service, each in one spelling. */
const SAVED = Math.ceil(ADDRESSES * 0.03)

const MOST_4 = 0xffff_ffffn
const MOST_6 = (1n << 128n) - 1n

/** The ends of every range, their neighbours, and anything in between. */
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
const blocks = EMBEDDINGS.map((first) => ({ first, last: first + MOST_4, refused: null }))
const embedding = fc.tuple(fc.constantFrom(...EMBEDDINGS), number4).map(([first, inner]) => first | inner)
/** An IPv4 address at the end of any block, as ISATAP writes it; with other bits before it, it stands for nothing. */
const tail = fc
  .tuple(edges(RANGES_6, MOST_6), fc.constantFrom(...TUNNELS, 0x0100_5efen, 0x0000_5effn), number4)
  .map(([value, before, inner]) => (value & ~0xffff_ffff_ffff_ffffn) | (before << 32n) | inner)

const address: fc.Arbitrary<Address> = fc.oneof(
  number4.map((value): Address => ({ family: 4, value })),
  fc
    .oneof(edges(RANGES_6, MOST_6), edges(blocks, MOST_6), embedding, tail, fc.bigInt(0n, MOST_6))
    .map((value): Address => ({ family: 6, value })),
)

const noName = () => Promise.reject(new Error('looked up'))

async function verdictOf(host: string): Promise<string | null> {
  try {
    await checkEndpoint(`http://${host}:8080/v1`, noName)
    return null
  } catch (error) {
    if (!(error instanceof StoryError) || error.code !== 'endpoint_refused') throw error
    return classIn(error.message)
  }
}

function classIn(sentence: string): string {
  return / is (.*?)(?: \([^()]*\))?\. Stories stay on your own network\.$/.exec(sentence)?.[1] ?? sentence
}

describe('compared with the registries', () => {
  test(`58 59 60 61: ${ADDRESSES} addresses get the same verdict, in every spelling`, async () => {
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
    // Every row of the table was used.
    const known = [...RANGES_4, ...RANGES_6].map(({ refused }) => refused)
    expect(verdicts).toEqual(new Set(known))
  })

  test(`58 59 60 61: ${SAVED} of them are saved or refused in the settings`, async () => {
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
  })
})

import { describe, expect, test } from 'bun:test'
import type { ImportPreview } from '../../../src/domain/portable/import-preview.ts'
import { bytesOf, SAMPLES } from '../../formats/samples.ts'
import { startServer } from '../../support/service/server.ts'

const server = await startServer()
const send = async (body: string | Uint8Array, query: string) => {
  const answer = await server.ask(`/api/import?${query}`, {
    method: 'POST',
    body: body as Uint8Array<ArrayBuffer>,
  })
  return { status: answer.status, body: (await answer.json()) as ImportPreview }
}

const TIMED = {
  spec: 'chara_card_v2',
  spec_version: '2.0',
  data: {
    name: 'Odo',
    first_mes: 'Sit.',
    character_book: {
      entries: [
        {
          keys: ['lamp'],
          content: 'It burns.',
          enabled: true,
          extensions: { sticky: 2, cooldown: 4, useProbability: true, probability: 40 },
        },
      ],
    },
  },
}
const FILES = [{ name: 'timed.json', bytes: bytesOf(TIMED) }, ...SAMPLES]

describe('a file that was imported is recognised when it comes again:', () => {
  test.each(FILES.map(({ name, bytes }) => [name, bytes] as const))('%s', async (name, bytes) => {
    expect((await send(bytes, `apply=1&name=${name}`)).status).toBe(201)
    const { scenarios, adventures } = (await send(bytes, `name=${name}`)).body
    const items = [...scenarios, ...adventures].filter(({ is_alternative }) => !is_alternative)
    expect(items.filter(({ is_duplicate }) => !is_duplicate)).toEqual([])
  })
})

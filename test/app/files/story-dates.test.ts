import { expect, test } from 'bun:test'
import { startServer } from '../../support/service/server.ts'

const server = await startServer()
const NOW = server.deps.now().toISOString().slice(0, 10)

const chat = (...times: (string | undefined)[]) =>
  [
    { user_name: 'Ann', character_name: `Mira ${times}` },
    ...times.map((send_date, i) => ({ is_user: i % 2 === 1, mes: `${i}.`, send_date })),
  ]
    .map((line) => JSON.stringify(line))
    .join('\n')

async function datesOf(file: string): Promise<string[]> {
  const answer = await server.ask('/api/import?apply=1', { method: 'POST', body: file })
  const { adventure_ids } = await answer.json()
  const { created_at, updated_at } = (await server.get(`/api/adventures/${adventure_ids[0]}`)).body
  return [created_at, updated_at].map((time) => time.slice(0, 10))
}

const cases: [what: string, times: (string | undefined)[], created: string, updated: string][] = [
  [
    'their first and last passage',
    ['April 26, 2024 6:06am', 'April 27, 2024 9:10pm'],
    '2024-04-26',
    '2024-04-27',
  ],
  ['those passages that tell it', [undefined, '2024-04-26T06:06:00Z', undefined], '2024-04-26', '2024-04-26'],
  ['now, where none tells it', [undefined], NOW, NOW],
  ['no later than now', ['2024-04-26T06:06:00Z', '9000-01-01T00:00:00Z'], '2024-04-26', '2024-04-26'],
]

test.each(cases)('imported stories are dated by %s', async (_, times, created, updated) => {
  expect(await datesOf(chat(...times))).toEqual([created, updated])
})

import { rmSync, statSync } from 'node:fs'
import { start } from '../src/start.ts'
import { say, startEndpoint } from '../test/support/endpoint/endpoint.ts'
import { loopback } from '../test/support/service/loopback.ts'
import { benchLibrary, STORIES } from './library.ts'
import { medianTime, ms } from './median.ts'
import { proseFrom } from './prose.ts'

const TURNS = 20
/** Milliseconds; KiB a turn, its text aside; bytes of the library for each byte of text. */
const AIMS = { page: 2, growth: 6, size: 3 }

/** What stories of different lengths cost: pages, undo, and bytes of the library file. */
export async function storyTable(): Promise<Record<string, Record<string, string>>> {
  const { folder, dbPath } = await benchLibrary()
  const rows: Record<string, Record<string, string>> = {}
  await using endpoint = await startEndpoint()
  const service = await start(loopback(dbPath))
  const ask = async (path: string, method = 'GET', body?: object) =>
    (
      await fetch(new URL(path, service.address), {
        method,
        ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
      })
    ).text()
  await ask('/api/settings', 'PUT', { endpoint_url: endpoint.url, model: 'm', loop_guard: false })
  const text = service.deps.library.reader.get<{ bytes: number }>(
    'SELECT sum(octet_length(text)) AS bytes FROM actions',
  )
  const size = statSync(dbPath).size / (text?.bytes ?? 1)
  rows['the library'] = { 'bytes for each byte of text': `${size.toFixed(2)} (${AIMS.size})` }
  // Free pages of the file are used again.
  const usedBytes = () =>
    service.deps.library.reader.get<{ bytes: number }>(
      `SELECT (page_count - freelist_count) * page_size AS bytes
        FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
    )?.bytes ?? 0
  const reply = proseFrom(9)(900)
  endpoint.byDefault(say(reply))
  for (const [index, actions] of STORIES.slice(0, 3).entries()) {
    const id = index + 1
    const play = () => ask(`/api/adventures/${id}/actions`, 'POST', { type: 'continue' })
    await play()
    service.deps.library.checkpoint()
    const size = usedBytes()
    for (let turn = 0; turn < TURNS; turn++) await play()
    service.deps.library.checkpoint()
    // The text of a reply stands in its version as well.
    const growth = (usedBytes() - size) / TURNS - 2 * reply.length
    rows[`${actions} actions`] = {
      'play page': ms(await medianTime(50, () => ask(`/adventures/${id}`)), AIMS.page),
      'its bytes': String((await ask(`/adventures/${id}`)).length),
      'list of stories': ms(await medianTime(50, () => ask('/'))),
      undo: ms(await medianTime(10, () => ask(`/api/adventures/${id}/undo`, 'POST'))),
      'growth of the file per turn': `${(growth / 1024).toFixed(1)} KiB (${AIMS.growth})`,
    }
  }
  await service.stop()
  rmSync(folder, { recursive: true })
  return rows
}

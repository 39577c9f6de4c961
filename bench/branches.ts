import { rmSync, statSync } from 'node:fs'
import type { Reader } from '../src/db/database.ts'
import { start } from '../src/start.ts'
import { loopback } from '../test/support/service/loopback.ts'
import { benchLibrary, STORIES } from './library.ts'
import { ms } from './median.ts'
import { watchLoop } from './watch-loop.ts'

/** Milliseconds, and bytes for each byte of the rows that are copied. */
const AIM_TIME = 200
const AIM_GROWTH = 1.7
/** Bytes of a row besides its text. */
const ROW_BYTES = 60

type BranchTimes = Record<'time' | 'longest stop of the loop' | 'rows' | 'used pages' | 'file growth', string>

/** Branches stories at their newest passage: how long that takes, and what the file grows by. */
export async function branchTable(): Promise<Record<string, BranchTimes>> {
  const { folder, dbPath } = await benchLibrary()
  const service = await start(loopback(dbPath), { idleDelay: 1_000_000 })
  const { library, indexing } = service.deps
  const rows: Record<string, BranchTimes> = {}
  for (const [i, actions] of [...new Set(STORIES)].entries()) {
    const id = i + 1
    const last = library.reader.get<{ id: number; rows: number }>(
      `SELECT max(id) AS id, sum(octet_length(text) + ${ROW_BYTES}) AS rows FROM actions WHERE adventure_id = ?`,
      id,
    )
    library.checkpoint()
    const [before, usedBefore] = [statSync(dbPath).size, usedBytes(library.reader)]
    const watch = watchLoop()
    const began = performance.now()
    await fetch(new URL(`/api/adventures/${id}/family`, service.address), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ action_id: last?.id }),
    }).then((answer) => answer.text())
    const took = performance.now() - began
    const stop = await watch()
    await indexing.ended()
    library.checkpoint()
    const growth = statSync(dbPath).size - before
    const used = usedBytes(library.reader) - usedBefore
    rows[`${actions} actions`] = {
      time: ms(took, AIM_TIME),
      'longest stop of the loop': ms(stop),
      rows: `${((last?.rows ?? 0) / 1e6).toFixed(2)} MB`,
      'used pages': `${(used / (last?.rows ?? 1)).toFixed(2)} of the rows (${AIM_GROWTH})`,
      'file growth': `${(growth / 1e6).toFixed(2)} MB`,
    }
  }
  await service.stop()
  rmSync(folder, { recursive: true })
  return rows
}

function usedBytes(reader: Reader): number {
  const sql =
    'SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size'
  return reader.value(sql) ?? 0
}

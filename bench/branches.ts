import { rmSync, statSync } from 'node:fs'
import { start } from '../src/start.ts'
import { loopback } from '../test/support/service/loopback.ts'
import { benchLibrary, STORIES } from './library.ts'
import { ms } from './median.ts'
import { watchLoop } from './watch-loop.ts'

/** Milliseconds, and bytes for each byte of what is copied. */
const AIM_TIME = 200
const AIM_GROWTH = 1.2

type BranchTimes = Record<'time' | 'longest stop of the loop' | 'text' | 'file growth', string>

/** Branches stories at their newest passage: how long that takes, and what the file grows by. */
export async function branchTable(): Promise<Record<string, BranchTimes>> {
  const { folder, dbPath } = await benchLibrary()
  const service = await start(loopback(dbPath), { idleDelay: 1_000_000 })
  const { library, indexing } = service.deps
  const rows: Record<string, BranchTimes> = {}
  for (const [i, actions] of [...new Set(STORIES)].entries()) {
    const id = i + 1
    const last = library.reader.get<{ id: number; text: number }>(
      'SELECT max(id) AS id, sum(octet_length(text)) AS text FROM actions WHERE adventure_id = ?',
      id,
    )
    library.checkpoint()
    const before = statSync(dbPath).size
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
    rows[`${actions} actions`] = {
      time: ms(took, AIM_TIME),
      'longest stop of the loop': ms(stop),
      text: `${((last?.text ?? 0) / 1e6).toFixed(2)} MB`,
      'file growth': `${(growth / 1e6).toFixed(2)} MB, ${(growth / (last?.text ?? 1)).toFixed(2)} of the text (${AIM_GROWTH} of the rows)`,
    }
  }
  await service.stop()
  rmSync(folder, { recursive: true })
  return rows
}

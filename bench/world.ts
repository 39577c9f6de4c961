import { readDelta } from '../src/domain/world/block/delta.ts'
import { Hider } from '../src/domain/world/hider.ts'
import { record } from '../src/domain/world/delta-report.ts'
import { Paths } from '../src/domain/world/block/path-resolver.ts'
import { readRules } from '../src/domain/world/rules.ts'
import { instantiate } from '../src/domain/world/state.ts'
import { LANTERN_ROCK } from '../test/support/stories/worlds.ts'

const PIECE = 4

/** Milliseconds that a reply of 4 KB costs between model and reader: hidden piece by piece, read and judged. */
export function refereeTime(): number {
  const block = '\n\n```state_delta\n{"player.warmth": -5, "world.sea": 2, "flags.door_barred": true}\n```'
  const reply = 'The road goes on and on. '.repeat(160).trim() + block
  const state = instantiate(LANTERN_ROCK)
  const times = Array.from({ length: 200 }, () => {
    const began = performance.now()
    const paths = new Paths(readRules(LANTERN_ROCK))
    const hider = new Hider(paths)
    for (let at = 0; at < reply.length; at += PIECE) hider.push(reply.slice(at, at + PIECE))
    hider.end()
    record(LANTERN_ROCK, '', state, { blocks: hider.blocks, second: null }, 4)
    return performance.now() - began
  })
  return times.sort((a, b) => a - b)[100] ?? 0
}

/** Milliseconds for a block that nobody should send. */
export function hostileTime(body: string): number {
  const began = performance.now()
  const paths = new Paths(readRules(LANTERN_ROCK))
  const hider = new Hider(paths)
  hider.push(`Dusk.\n\n\`\`\`state_delta\n${body}\n\`\`\``)
  hider.end()
  readDelta(hider.blocks, paths)
  return performance.now() - began
}

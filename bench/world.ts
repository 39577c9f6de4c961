import { parseDelta } from '../src/domain/world/block/delta.ts'
import { Hider } from '../src/domain/world/block/hider.ts'
import { PathResolver } from '../src/domain/world/block/path-resolver.ts'
import { recordDelta } from '../src/domain/world/delta-report.ts'
import { readRules } from '../src/domain/world/rules.ts'
import { instantiate } from '../src/domain/world/state.ts'
import { LANTERN_ROCK } from '../test/support/stories/worlds.ts'
import { ms } from './median.ts'

const CHUNK = 4

/** What the referee takes for a reply of a model, and for hostile ones. */
export function worldTable(): Record<string, string> {
  return {
    'hider and referee on a reply of 4 KB': ms(refereeTime()),
    'a block of 5 MB': ms(hostileTime(`{"player.coat": "${'x'.repeat(5_000_000)}"}`)),
    '10,000 nested objects': ms(hostileTime('{"a":'.repeat(10_000))),
  }
}

/** Milliseconds to process a 4 KB reply: hide its block chunk by chunk, parse it and judge its changes. */
function refereeTime(): number {
  const block = '\n\n```state_delta\n{"player.warmth": -5, "world.sea": 2, "flags.door_barred": true}\n```'
  const reply = 'The road goes on and on. '.repeat(160).trim() + block
  const state = instantiate(LANTERN_ROCK)
  const times = Array.from({ length: 200 }, () => {
    const began = performance.now()
    const paths = new PathResolver(readRules(LANTERN_ROCK))
    const hider = new Hider(paths)
    for (let at = 0; at < reply.length; at += CHUNK) hider.push(reply.slice(at, at + CHUNK))
    hider.end()
    recordDelta(LANTERN_ROCK, { before: state, index: 4, roll: null }, { blocks: hider.blocks, second: null })
    return performance.now() - began
  })
  return times.sort((a, b) => a - b)[100] ?? 0
}

/** Milliseconds to process a hostile block. */
function hostileTime(body: string): number {
  const began = performance.now()
  const paths = new PathResolver(readRules(LANTERN_ROCK))
  const hider = new Hider(paths)
  hider.push(`Dusk.\n\n\`\`\`state_delta\n${body}\n\`\`\``)
  hider.end()
  parseDelta(hider.blocks, paths)
  return performance.now() - began
}

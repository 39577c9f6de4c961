import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Settings of Bun's own, one of each file that it otherwise looks for in the folders above. */
const EMPTY_SETTINGS = { 'bunfig.toml': '', 'package.json': '{}', 'tsconfig.json': '{}' }

/** Creates a folder where a process of Bun finds none of the settings that somebody has put into a folder above it. */
export function makeBunFolder(folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(EMPTY_SETTINGS)) writeFileSync(join(folder, name), text)
}

/**
 * The environment of a process of Bun that ends with this one: without what the player has set for Bun, Node, npm and
 * node-llama-cpp.
 */
export function bunEnvironment(): Record<string, string | undefined> {
  const own = Object.entries(process.env).filter(
    ([name]) => name === 'NODE_EXTRA_CA_CERTS' || !/^(bun|node|npm)_/i.test(name),
  )
  // An executable is then Bun itself.
  return { ...Object.fromEntries(own), BUN_BE_BUN: '1', BUN_FEATURE_FLAG_NO_ORPHANS: '1' }
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FileKind, ImportPlan } from '../../src/domain/portable/portable.ts'
import { parseFile } from '../../src/formats/detect.ts'
import { byafOf } from '../support/files/byaf.ts'
import { cardChunk, pngWith } from '../support/files/card-png.ts'

const folder = join(import.meta.dir, 'samples')

/** A file that people bring, and what it is. */
export interface Sample {
  name: string
  kind: FileKind
  bytes: Uint8Array
}

/** How the names of the samples of each format begin. */
const KINDS: [start: string, kind: FileKind][] = [
  ['own-scenario', 'inglenook-scenario'],
  ['own-adventure', 'inglenook-adventure'],
  ['bundle-scenario', 'ai-dnd-scenario-v1'],
  ['seed', 'ai-dnd-scenario-v1'],
  ['bundle-v1', 'ai-dnd-adventure-v1'],
  ['bundle-v2', 'ai-dnd-adventure-v2'],
  ['cards', 'ai-dungeon-cards'],
  ['card', 'character-card'],
  ['world-info', 'world-info'],
  ['chat', 'sillytavern-chat'],
  ['kobold', 'kobold-lite'],
  ['dungeon-scenario', 'ai-dungeon-scenarios'],
  ['dungeon-story', 'ai-dungeon-adventures'],
  ['novelai-lorebook', 'novelai-lorebook'],
  ['novelai-scenario', 'novelai-scenario'],
  ['novelai-story', 'novelai-story'],
  ['risuai-lorebook', 'risuai-lorebook'],
  ['risuai-module', 'risuai-lorebook'],
  ['risuai-chat', 'risuai-chat'],
  ['agnai-chat', 'agnai-chat'],
  ['agnai-book', 'world-info'],
  ['webui-chat', 'webui-chat'],
  ['text', 'text'],
]

const files = readdirSync(folder)
  .filter((name) => name !== 'archives')
  .sort()

/** The text of a sample file. */
export const sampleText = (name: string) => readFileSync(join(folder, name), 'utf8')

/** The value of a sample file. */
// The tests build on what they have written themselves.
// biome-ignore lint/suspicious/noExplicitAny: hand-written JSON
export const sample = (name: string): any => JSON.parse(sampleText(name))

/** All sample files, and pictures of those that are character cards. */
export const SAMPLES: Sample[] = [
  ...files.map((name) => ({
    name,
    kind: KINDS.find(([start]) => name.startsWith(start))?.[1] ?? 'kobold-lite',
    bytes: new Uint8Array(readFileSync(join(folder, name))),
  })),
  ...['byaf', 'byaf-bare', 'byaf-sloppy'].map((name) => ({
    name: `${name}.byaf`,
    kind: 'backyard' as const,
    bytes: byafOf(sample(`archives/${name}.json`)),
  })),
  ...(['tEXt', 'zTXt', 'iTXt', 'iTXt packed'] as const).map((how) => ({
    name: `a picture with ${how}.png`,
    kind: 'character-card' as const,
    bytes: pngWith([cardChunk('chara', sample('card-v2.json'), how)]),
  })),
]

/** Reads a value as a file would bring it. */
export function read(value: unknown, name = 'a file.json'): ImportPlan {
  return parseFile(bytesOf(value), name)
}

export function bytesOf(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value
  return new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))
}

import { foldName } from '../lib/fold-text.ts'

/** Pairs of colours, dark enough for white letters at 4.5:1. */
const RAMPS = [
  ['#3b2a4f', '#6b3d5e'],
  ['#1f3a4d', '#2f6270'],
  ['#4a2c2a', '#7a4433'],
  ['#24402f', '#3f6642'],
  ['#2b2f55', '#4a5590'],
  ['#4d3a1f', '#7a5a2b'],
  ['#3a2233', '#74394d'],
  ['#22383a', '#3f5f57'],
  ['#402a1c', '#8a5a33'],
  ['#1c2f3a', '#3c5a78'],
  ['#2f2a44', '#5d4f7d'],
  ['#2c3b1e', '#5c6b35'],
] as const

const SMALL_WORDS = new Set(['the', 'and', 'of', 'a', 'an', 'from', 'for', 'in', 'on', 'to'])

/** A cover for scenarios without a picture, always the same for the same title (docs/rules.md 2). */
interface CoverArt {
  from: string
  to: string
  /** An emoji, or up to two initials. */
  sign: string
}

export function coverArt(title: string, icon: string): CoverArt {
  const [from, to] = RAMPS[hashOf(foldName(title)) % RAMPS.length] ?? RAMPS[0]
  return { from, to, sign: icon || initials(title) }
}

/** FNV-1a over UTF-16 units, 32 bits (http://www.isthe.com/chongo/tech/comp/fnv/). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0
  return hash
}

function initials(title: string): string {
  const words = title.replace(/^\s*\[[^\]]*\]/, '').match(/[\p{L}\p{N}]+/gu) ?? []
  const significant = words.filter((word) => !SMALL_WORDS.has(word.toLowerCase()))
  const letters = (significant.length > 0 ? significant : words)
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
  return letters.join('') || '?'
}

// Foldings for comparison: each maps equal texts to the same string. They differ on purpose, and some results are stored
// in indexes: do not change one without rebuilding them.
//
//                  case  accents  width  spaces               punctuation
//   foldName       fold  keep     keep   trim                 keep           composes accents (NFC)
//   foldTrigger    fold  keep     keep   trim, one at a time  keep           straight apostrophes, NFC
//   foldWord       fold  drop     keep   keep                 keep
//   foldQuote      fold  keep     fold   drop                 drop
//   foldSearch     fold  drop     fold   each one a space     straight quotes and hyphens

export function foldName(text: string): string {
  return text.normalize('NFC').trim().toLowerCase()
}

export function foldWord(word: string): string {
  if (ASCII_WORD.test(word)) return word.toLowerCase()
  return word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

const ASCII_WORD = /^[a-z0-9]*$/i

/** Letters and digits only. Upper case, because some letters have several lower-case forms. */
export function foldQuote(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '')
}

export function foldTrigger(trigger: string): string {
  if (/^[!-~]+(?: [!-~]+)*$/.test(trigger)) return trigger.toLowerCase()
  return foldTriggerText(trigger.normalize('NFC')).replace(/ +/g, ' ').trim()
}

/** Folds composed text like `foldTrigger`, keeping its length: runs of spaces stay. */
export function foldTriggerText(text: string): string {
  const spaced = text.replace(/[^\S ]/g, ' ')
  if (!/[\u0080-\uffff]/.test(spaced)) return spaced.toLowerCase()
  return lowercase(spaced).replace(/[‘’‛ʼ＇]/g, "'")
}

export function lowercase(text: string): string {
  // İ is the one capital whose lower case is longer; a final sigma depends on its position.
  return text.replaceAll('İ', 'i').toLowerCase().replaceAll('ς', 'σ')
}

/** Folds for full-text search. Marks that make another letter (Thai vowels, Japanese voicing) stay. */
export function foldSearch(text: string): string {
  const composed = text.toWellFormed().normalize('NFC')
  if (ASCII.test(composed)) return foldAscii(composed)
  return composed.replace(ASCII_OR_CLUSTER, foldCluster)
}

export interface FoldedSearch {
  /** The original, with composed accents. */
  text: string
  folded: string
  /** One longer than `folded`: the last entry is the length of `text`. */
  offsets: number[]
}

export function foldSearchWithOffsets(original: string): FoldedSearch {
  const text = original.toWellFormed().normalize('NFC')
  const offsets: number[] = []
  let folded = ''
  for (const { 0: cluster, index } of text.matchAll(CLUSTER)) {
    const part = foldCluster(cluster)
    for (let i = 0; i < part.length; i++) offsets.push(index)
    folded += part
  }
  return { text, folded, offsets: [...offsets, text.length] }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII, including control characters
export const ASCII = /^[\x00-\x7f]*$/
// Unicode counts the half-width Japanese voicing marks as letters, but they belong to the letter before them.
const CLUSTER = /\P{M}[\p{M}\uff9e\uff9f]*|\p{M}+/gsu
/** A run of ASCII without marks, or a cluster. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII, including control characters
const ASCII_OR_CLUSTER = /[\x00-\x7f]+(?![\p{M}\uff9e\uff9f])|\P{M}[\p{M}\uff9e\uff9f]*|\p{M}+/gsu
const DROPPED = /[\u0300-\u036f\ufe0e\ufe0f\u00ad\u200b-\u200d\u2060\ufeff]/gu
const BLANK = /[\s\p{Cc}]/gu

function foldCluster(cluster: string): string {
  if (ASCII.test(cluster)) return foldAscii(cluster)
  const bare = cluster.normalize('NFKD').replace(DROPPED, '').normalize('NFC')
  const plain = bare
    .replace(/[‘’‚‛]/g, "'")
    .replace(/[“”„‟]/g, '"')
    .replace(/[‐‑‒–—]/g, '-')
  // Lower case first: this alone unifies ẞ, ß and SS, and the two lower-case sigmas.
  return foldAscii(plain.toLowerCase())
}

function foldAscii(text: string): string {
  return text.toUpperCase().replace(BLANK, ' ')
}

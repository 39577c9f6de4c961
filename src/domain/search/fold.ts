/** A text as it is compared, and for each of its UTF-16 units the place in `text` that it was made from. */
export interface Folded {
  /** The text itself, with its accents composed. */
  text: string
  folded: string
  /** One longer than `folded`: the last entry is the end of `text`. */
  places: number[]
}

/**
 * A text as it is compared: without case, accents of European scripts, forms of width and of quotation marks; each
 * blank and control character is a space. Marks that make another letter (Thai vowels, Japanese voicing) stay.
 */
export function fold(text: string): string {
  const composed = text.toWellFormed().normalize('NFC')
  if (PLAIN.test(composed)) return foldPlain(composed)
  return composed.replace(CLUSTER, foldCluster)
}

/** The same with the places, for showing what was found. */
export function foldWithPlaces(given: string): Folded {
  const text = given.toWellFormed().normalize('NFC')
  const places: number[] = []
  let folded = ''
  for (const { 0: cluster, index } of text.matchAll(CLUSTER)) {
    const piece = foldCluster(cluster)
    for (let i = 0; i < piece.length; i++) places.push(index)
    folded += piece
  }
  return { text, folded, places: [...places, text.length] }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII, control characters as well
const PLAIN = /^[\x00-\x7f]*$/
// The voicing marks of half-width Japanese are letters to Unicode, and part of the one before them.
const CLUSTER = /\P{M}[\p{M}\uff9e\uff9f]*|\p{M}+/gsu
/** Accents, signs that only choose a look, and joints that nobody types. */
const DROPPED = /[\u0300-\u036f\ufe0e\ufe0f\u00ad\u200b-\u200d\u2060\ufeff]/gu
const BLANK = /[\s\p{Cc}]/gu

function foldCluster(cluster: string): string {
  if (PLAIN.test(cluster)) return foldPlain(cluster)
  const bare = cluster.normalize('NFKD').replace(DROPPED, '').normalize('NFC')
  return foldPlain(
    bare
      .replace(/[‘’‚‛]/g, "'")
      .replace(/[“”„‟]/g, '"')
      .replace(/[‐‑‒–—]/g, '-'),
  )
}

// By way of lower case, because ẞ, ß and SS, and the two small sigmas, meet only so.
function foldPlain(text: string): string {
  return text.toLowerCase().toUpperCase().replace(BLANK, ' ')
}

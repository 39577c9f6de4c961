import { mix, WordReader } from './word-reader.ts'

/** Words of a phrase. Shorter ones recur in everybody's prose. */
const PHRASE_WORDS = 5

export function phraseLength(weight: number): number {
  return PHRASE_WORDS / weight
}

/**
 * The hash of the last `length` words, given the hashes of words; null while they are too few. Such overlapping phrases are
 * the shingles of Broder, "On the resemblance and containment of documents" (1997).
 */
export function lastPhrase(words: readonly number[], length: number): number | null {
  return words.length < length ? null : words.slice(-length).reduce(mix, 0)
}

/** The hashes of all phrases in a text; of a shorter text, that of all its words. */
export function phrasesIn(text: string): Set<number> {
  const phrases = new Set<number>()
  const words: number[] = []
  const reader = new WordReader((hash, weight) => {
    words.push(hash)
    const phrase = lastPhrase(words, phraseLength(weight))
    if (phrase !== null) phrases.add(phrase)
  })
  for (let i = 0; i < text.length; i++) reader.feed(text.charCodeAt(i), i)
  reader.end()
  return phrases.size > 0 || words.length === 0 ? phrases : new Set([words.reduce(mix, 0)])
}

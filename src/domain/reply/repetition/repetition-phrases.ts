import { mix, WordReader } from './repetition-words.ts'

/** How many words make a phrase. Shorter ones recur in everybody's prose. */
const PHRASE_WORDS = 5

/** How many words of this weight make a phrase. */
export function phraseLength(weight: number): number {
  return PHRASE_WORDS / weight
}

/**
 * The hash of the last `length` words, given the hashes of words; null while they are too few. Such overlapping phrases are
 * the shingles of Broder, "On the resemblance and containment of documents" (1997).
 */
export function lastPhrase(words: readonly number[], length: number): number | null {
  if (words.length < length) return null
  let hash = 0
  for (let i = words.length - length; i < words.length; i++) hash = mix(hash, words[i] ?? 0)
  return hash
}

/** The hashes of all phrases in some texts. */
export function phrasesIn(texts: readonly string[]): Set<number> {
  const phrases = new Set<number>()
  for (const text of texts) {
    const words: number[] = []
    const reader = new WordReader((hash, weight) => {
      words.push(hash)
      const phrase = lastPhrase(words, phraseLength(weight))
      if (phrase !== null) phrases.add(phrase)
    })
    reader.feedAll(text)
  }
  return phrases
}

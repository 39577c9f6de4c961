/** Characters per token by script, at the low end of common vocabularies, so that the estimate errs upwards. */
const LATIN = 3.6
const OTHER_ALPHABETS = 1.9
const IDEOGRAPHS = 0.6
/** Dashes, quotation marks and the ellipsis rarely share a token with their neighbours. */
const PUNCTUATION = 1

/** Approximate tokens that a chat template adds around each message. */
export const PER_MESSAGE = 4

/** Approximate, without a vocabulary. */
export function estimateTokens(text: string): number {
  let tokens = 0
  for (let i = 0; i < text.length; i++) tokens += 1 / charactersPerToken(text.charCodeAt(i))
  return Math.ceil(tokens)
}

function charactersPerToken(unit: number): number {
  if (unit < 0x250) return LATIN
  if (unit >= 0x2000 && unit < 0x2070) return PUNCTUATION
  return unit < 0x1200 ? OTHER_ALPHABETS : IDEOGRAPHS
}

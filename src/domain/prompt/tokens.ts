/** Characters per token by script, at the low end of what common vocabularies give: an estimate that errs upwards. */
const LATIN = 3.6
const OTHER_ALPHABETS = 1.9
const IDEOGRAPHS = 0.6
/** Dashes, quotation marks and the ellipsis seldom stand in one token with what is around them. */
const PUNCTUATION = 1

/** Tokens that a server puts around each message, about. */
export const PER_MESSAGE = 4

/** About how many tokens a text takes, without any vocabulary. */
export function estimateTokens(text: string): number {
  let tokens = 0
  for (let i = 0; i < text.length; i++) tokens += 1 / perToken(text.charCodeAt(i))
  return Math.ceil(tokens)
}

function perToken(unit: number): number {
  if (unit < 0x250) return LATIN
  if (unit >= 0x2000 && unit < 0x2070) return PUNCTUATION
  return unit < 0x1200 ? OTHER_ALPHABETS : IDEOGRAPHS
}

import {
  BACKDROP,
  BOUNDARY,
  DETERMINERS,
  ENGLISH,
  MASS,
  PERSONS,
  THINGS,
  VAGUE,
  VERBS,
} from './phrases/word-lists.ts'

const LONGEST_PHRASE = 3

/** Splits text into words and punctuation, without markup. Reads only the first `limit` characters. */
export function tokensOf(text: string, limit: number): string[] {
  const plain = text
    .slice(0, limit)
    .replace(/<[^<>]*>/g, ' ; ')
    .replace(/’/g, "'")
    .replace(/\b(Mr|Mrs|Ms|Dr|St)\./g, '$1')
  const tokens = plain.match(/[\p{L}\p{M}\p{N}]+(?:['-][\p{L}\p{M}]+)*|[^\s\p{L}\p{M}\p{N}]/gu) ?? []
  return tokens.some((token) => /[a-z]/.test(token)) ? tokens : tokens.map((token) => token.toLowerCase())
}

export function isWord(token: string | undefined): token is string {
  return (
    token !== undefined && token.length <= 18 && /^[A-Za-zÀ-ÖØ-öø-ÿ]+(?:['-][A-Za-zÀ-ÖØ-öø-ÿ]+)*$/.test(token)
  )
}

/** The things in a passage that the story can return to, in order. "a small brass key" becomes "the small brass key". */
export function thingsIn(text: string, limit: number): string[] {
  const tokens = tokensOf(text, limit)
  const found = tokens.flatMap((token, i) => {
    if (!DETERMINERS.has(token.toLowerCase())) return []
    const phrase = phraseAt(tokens, i)
    return phrase !== null && isMemorable(phrase) ? [phrase] : []
  })
  return [...new Set(found)]
}

/** The noun phrase that starts with the determiner at `at`; null if its end is unclear. */
function phraseAt(tokens: readonly string[], at: number): string | null {
  const words: string[] = []
  for (let i = at + 1; words.length <= LONGEST_PHRASE; i++) {
    const token = tokens[i]
    if (!isWord(token) || BOUNDARY.has(token.toLowerCase())) break
    // "the lamp room" continues, "the chain harder" does not.
    if (THINGS.has(words.at(-1) ?? '') && !THINGS.has(token.toLowerCase())) break
    if (words.length > 0 && isThirdPerson(token)) return null
    words.push(THINGS.has(token.toLowerCase()) ? token.toLowerCase() : token)
  }
  const head = words.at(-1)?.toLowerCase()
  if (head === undefined || words.length > LONGEST_PHRASE || VAGUE.has(head) || !isNounLike(head)) return null
  return `${articleFor(tokens[at] ?? '')} ${words.join(' ')}`
}

function isThirdPerson(token: string): boolean {
  const word = token.toLowerCase()
  if (THINGS.has(word) || !word.endsWith('s')) return false
  return VERBS.has(word.slice(0, -1)) || (word.endsWith('es') && VERBS.has(word.slice(0, -2)))
}

/** The object of a player's sentence, with its article and position. */
export function grammaticalObject(
  tokens: readonly string[],
): { phrase: string; from: number; to: number } | null {
  for (let i = 0; i < tokens.length; i++) {
    const word = (tokens[i] ?? '').toLowerCase()
    if (!DETERMINERS.has(word)) continue
    const phrase = isEnglish(tokens) || word === 'the' ? phraseAt(tokens, i) : null
    if (phrase !== null) return { phrase, from: i, to: i + phrase.split(' ').length }
  }
  return null
}

/** A thing without its article, as in "open door". */
export function bareObjectIn(tokens: readonly string[]): { phrase: string; from: number; to: number } | null {
  for (let i = 1; i < tokens.length; i++) {
    const word = (tokens[i] ?? '').toLowerCase()
    if (!THINGS.has(word) || MASS.has(word)) continue
    let from = i
    while (from > 1 && i - from < 2 && isPlainAdjective(tokens[from - 1])) from--
    // "the first tower" already has an article further back.
    if (tokens.slice(Math.max(0, from - 2), from).some((before) => DETERMINERS.has(before.toLowerCase())))
      return null
    const words = tokens.slice(from, i + 1).map((token) => token.toLowerCase())
    return { phrase: `the ${words.join(' ')}`, from, to: i + 1 }
  }
  return null
}

/** Whether the story can return to this thing. */
function isMemorable(phrase: string): boolean {
  const head = headOf(phrase)
  return phrase.startsWith('the ') && THINGS.has(head) && !MASS.has(head) && !BACKDROP.has(head)
}

function headOf(phrase: string): string {
  return (phrase.split(' ').at(-1) ?? '').toLowerCase()
}

export function isPerson(phrase: string): boolean {
  return PERSONS.has(headOf(phrase))
}

/** A name: a capitalised word that does not start a sentence. */
export function nameIn(tokens: readonly string[]): string | null {
  for (let i = 1; i < tokens.length; i++) {
    const token = tokens[i]
    if (!isWord(token) || !/^\p{Lu}\p{Ll}+/u.test(token) || /^(?:I|I'.*)$/.test(token)) continue
    if (
      THINGS.has(token.toLowerCase()) ||
      BOUNDARY.has(token.toLowerCase()) ||
      ENGLISH.has(token.toLowerCase())
    )
      continue
    if (/[.!?:"“]/.test(tokens[i - 1] ?? '')) continue
    const next = tokens[i + 1]
    return /^(?:Mr|Mrs|Ms|Dr|St)$/.test(token) && isWord(next) ? `${token} ${next}` : token
  }
  return null
}

export function isEnglish(tokens: readonly string[]): boolean {
  const first = (tokens[0] ?? '').toLowerCase()
  return VERBS.has(first) || tokens.filter((token) => ENGLISH.has(token.toLowerCase())).length >= 2
}

function isPlainAdjective(token: string | undefined): boolean {
  if (!isWord(token)) return false
  const word = token.toLowerCase()
  return !BOUNDARY.has(word) && !DETERMINERS.has(word) && !VERBS.has(word)
}

// "the man walking" and "the door slowly" are not things; "the morning", "the bed" and "the ring" may be.
function isNounLike(head: string): boolean {
  if (THINGS.has(head)) return true
  return head.length > 1 && !/(?:ly|ing|ed)$/.test(head) && !ENGLISH.has(head)
}

function articleFor(determiner: string): string {
  const word = determiner.toLowerCase()
  if (word === 'my' || word === 'our' || word === 'your') return 'your'
  if (word === 'her' || word === 'his' || word === 'their' || word === 'its') return word
  return 'the'
}

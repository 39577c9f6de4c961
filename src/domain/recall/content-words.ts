import { foldWord } from '../../lib/fold-text.ts'

/** The words of a text that can say what it is about: lower-cased, without accents, three letters or more, once. */
export function contentWords(text: string): string[] {
  const words = new Set<string>()
  for (const [word] of text.matchAll(WORD)) words.add(foldWord(word))
  return [...words].filter(isContentWord)
}

/** The words that stand capitalised inside a sentence: most likely names. */
export function namesIn(text: string): string[] {
  return [...text.matchAll(WORD)]
    .filter(({ 0: word, index }) => /^\p{Lu}/u.test(word) && !begins(text, index))
    .map(([word]) => foldWord(word))
    .filter(isContentWord)
}

/** A word without its English ending, so that its forms meet. Coarser than the index, which only finds. */
export function stem(word: string): string {
  const bare = ENDINGS.reduce((left, [ending, instead]) => shortened(left, ending, instead), word)
  return bare
    .replace(/y$/, 'i')
    .replace(/e$/, '')
    .replace(/([b-df-hj-np-tv-z])\1$/, '$1')
}

/** The words of a memory without their endings. */
export const stemsOf = keptForTexts((text): ReadonlySet<string> => new Set(contentWords(text).map(stem)))

/** Keeps what is made of some texts: the same memories are looked at turn after turn. */
export function keptForTexts<Made>(make: (text: string) => Made): (text: string) => Made {
  const kept = new Map<string, Made>()
  return (text) => {
    const known = kept.get(text)
    if (known !== undefined) return known
    const fresh = make(text)
    if (kept.size >= MAX_TEXTS) kept.clear()
    kept.set(text, fresh)
    return fresh
  }
}

const MAX_TEXTS = 2_000

const WORD = /\p{L}[\p{L}\p{M}\p{N}]*/gu

/** Whether a sentence or a speech begins there. */
function begins(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - 8), index)
  return /(^|[.!?…:>\n])["'“”‘’«»()*_\s]*$|["“«‘]$/u.test(before)
}

/** Whether a lower-case word can say what a text is about. */
export function isContentWord(word: string): boolean {
  return word.length >= 3 && !STOP_WORDS.has(word)
}

// Only the first ending that fits and leaves a syllable is taken of each group.
const ENDINGS: [ending: RegExp, instead: string][] = [
  [/(ss)es$|(i)es$|([^s])s$/, '$1$2$3'],
  [/(?:ing|ed)(ly)?$/, ''],
  [/([^aeiou])ly$/, '$1'],
]

function shortened(word: string, ending: RegExp, instead: string): string {
  const left = word.replace(ending, instead)
  return left.length >= 3 && /[aeiouy]/.test(left) ? left : word
}

const STOP_WORDS = new Set(
  `about above across after again against all almost along already also although always among and another any anybody
  anyone anything are aren around away because been before behind being below beside between beyond both but
  can cannot come comes could couldn did didn does doesn doing don done down during each either else enough even
  ever every everybody everyone everything few for from get gets getting goes going gone got had
  hadn has hasn have haven having her here hers herself him himself his how however into isn its itself just
  later least less let lets like many may maybe might mine more most much must
  myself near neither never next nobody none nor not nothing now off often once one only onto other others our ours
  out over own perhaps quite rather really said same say says seem seems seen several shall she should shouldn
  since some somebody somehow someone something soon still such take takes than that the their theirs them themselves
  then there these they thing things this those though through too took toward towards under until upon use used very
  want wants was wasn way went were weren what whatever when where whether which while who whole whom whose why
  will with within without would wouldn yes yet you your yours yourself
  ask asked asks look looked looking looks tell tells told try tries tried know knows knew think thinks`.split(
    /\s+/,
  ),
)

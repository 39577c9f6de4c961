/** Scripts that one language writes nearly alone, as BCP 47 tags. Kana before Han: Japanese has both. */
const SCRIPTS: readonly [script: RegExp, language: string][] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Han}/u, 'zh'],
  [/\p{Script=Thai}/u, 'th'],
  [/\p{Script=Greek}/u, 'el'],
  [/\p{Script=Hebrew}/u, 'he'],
]

/** Frequent words of languages in Latin and Cyrillic letters. */
const WORDS: Readonly<Record<string, ReadonlySet<string>>> = {
  en: words('the and of to is you your that with his her it was for on as at are they not from this have'),
  de: words('der und die das ist nicht du ich ein eine mit den dem sich auf es im wird sein deine dich wie'),
  fr: words('le et les est une tu vous dans pas qui que des du au ce il elle sur avec ton ta vos plus'),
  es: words('el y los las un una está pero su por para con del lo al tus más como hay sus tú'),
  it: words('il di che è non sono gli nel della una per si ti tuo tua questo ma alla dei mi'),
  pt: words('o não um uma você seu sua ao com os da do em mas mais pelo isso ele ela está'),
  nl: words('het een van niet je jij zijn naar met op maar ook deze wordt dat jouw bij'),
  pl: words('nie się na jest do z w to że jak ale jego twój po od przez ty już'),
  ru: words('и в не на что он она ты это как с по но его вы же из за'),
  uk: words('і в не на що він вона ти це як з та але його ви й із у'),
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '))
}

/** Characters that are looked at, and the share of frequent words that a language has in ordinary prose. */
const SAMPLE = 4_000
const MIN_SHARE = 0.12

/** The language of a text as a BCP 47 tag; "und" where it does not tell. */
export function languageOf(text: string): string {
  const sample = text.slice(0, SAMPLE)
  const letters = sample.match(/\p{L}/gu) ?? []
  const [, byScript] =
    SCRIPTS.find(([script]) => letters.filter((letter) => script.test(letter)).length > letters.length / 5) ??
    []
  if (byScript) return byScript
  const all = sample.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []
  const shares = Object.entries(WORDS).map(
    ([language, frequent]) =>
      [language, all.filter((word) => frequent.has(word)).length / all.length] as const,
  )
  const [best, second] = shares.toSorted(([, a], [, b]) => b - a)
  return best && second && best[1] >= MIN_SHARE && best[1] > second[1] ? best[0] : 'und'
}

import { Type } from '@sinclair/typebox'

const TAG = /^(?:[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3})?$/

/** True for a possible BCP 47 tag, and for ''. */
export function isLanguageTag(text: unknown): text is string {
  return typeof text === 'string' && TAG.test(text)
}

/** A stored language; '' where something else is stored. */
export function storedLanguage(text: unknown): string {
  return isLanguageTag(text) ? text : ''
}

export const LanguageTag = () =>
  Type.String({
    pattern: TAG.source,
    maxLength: 35,
    description: 'A BCP 47 tag such as "de" or "pt-BR"; empty for the language that the text tells',
  })

/** Scripts that almost only one language uses, as BCP 47 tags. Kana come before Han, because Japanese has both. */
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

/** Characters that are examined, and the share of frequent words in ordinary prose. */
const SAMPLE = 4_000
const MIN_SHARE = 0.12

/** The fewest words from which a language is detected. */
const MIN_WORDS = 30
/** Letters from which a script is enough to detect a language. */
const MIN_LETTERS = 40
const isShort = (text: string) => text.split(/\s+/u).length < MIN_WORDS

/** The language of a story and the language whose quotation marks its prose gets, as BCP 47 tags; "und" means none. */
export interface ProseLanguage {
  language: string
  marks: string
}

/** The chosen one, or the one detected. A short sample in plain Latin letters gets English quotation marks. */
export function proseLanguage(sample: string, chosen: string): ProseLanguage {
  const language = chosen || languageOf(sample)
  const isPlain = language === 'und' && isShort(sample) && !/[^\p{ASCII}\p{P}]/u.test(sample)
  return { language, marks: isPlain ? 'en' : language }
}

/**
 * The language in which the model is asked to write, given the chosen one ('' for none) and the beginning of the story; ''
 * if nothing needs to be said: for English that was not chosen, and for a text whose language is unclear.
 */
export function languageToTell(chosen: string, beginning: string): string {
  if (chosen !== '') return chosen
  const language = languageOf(beginning)
  const isSure = !(language in WORDS) || !isShort(beginning)
  return language === 'und' || language === 'en' || !isSure ? '' : language
}

/** True unless another language was chosen ('' for none), or the beginning is long enough to detect one. */
export function isEnglishStory(chosen: string, beginning: string): boolean {
  if (chosen !== '') return /^en(?:-|$)/i.test(chosen)
  const letters = beginning.match(/\p{L}/gu) ?? []
  if (letters.length < MIN_LETTERS) return true
  const latin = letters.filter((letter) => /\p{Script=Latin}/u.test(letter))
  return latin.length * 2 >= letters.length && languageToTell('', beginning) === ''
}

const NAMES = new Intl.DisplayNames('en', { type: 'language' })

export function languageName(language: string): string {
  try {
    return NAMES.of(language) ?? language
  } catch {
    return language
  }
}

/** The language of a text as a BCP 47 tag; "und" if it is unclear. */
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

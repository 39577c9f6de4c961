import { languageName } from '../../domain/text/language.ts'

/** BCP 47 tags. */
const LANGUAGES =
  `ar bg bn ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv ms nb nl pl pt pt-BR ro ru sk sl
  sr sv ta th tr uk ur vi zh-Hans zh-Hant`.split(/\s+/)

/** What is chosen where the text tells the language. */
export const AS_WRITTEN = 'As it is written'

/** The languages that a story can be set to, by name; first the one that its text tells. */
export function languageOptions(chosen: string, detected = 'und'): [tag: string, name: string][] {
  const listed = new Set(chosen === '' ? LANGUAGES : [...LANGUAGES, chosen])
  const named = [...listed].map((tag): [string, string] => [tag, languageName(tag)])
  const seen = chosen === '' && detected !== 'und' ? `: ${languageName(detected)}` : ''
  return [['', `${AS_WRITTEN}${seen}`], ...named.sort(([, one], [, other]) => one.localeCompare(other, 'en'))]
}

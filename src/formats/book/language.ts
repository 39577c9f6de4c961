import type { PortableActions } from '../../domain/portable/portable.ts'
import { languageOf } from '../../domain/text/language.ts'

/** Characters of a story that tell its language. */
const ENOUGH = 4_000

/** The language of a story as a BCP 47 tag: the chosen one, or what its beginning tells; "und" where its beginning does not tell. */
export function storyLanguage({ actions, language }: { actions: PortableActions; language: string }): string {
  if (language !== '') return language
  let text = ''
  for (const action of actions) {
    text += `${action.text}\n`
    if (text.length > ENOUGH) break
  }
  return languageOf(text)
}

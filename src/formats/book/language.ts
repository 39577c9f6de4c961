import type { PortableActions } from '../../domain/portable/portable.ts'
import { type ProseLanguage, proseLanguage } from '../../domain/text/language.ts'
import type { BookOptions } from './passages.ts'

/** Characters of a story that tell its language. */
const ENOUGH = 4_000

/**
 * The language of a book: the one chosen for its story, or the one detected at its beginning. Without typography, its
 * quotation marks stay as typed.
 */
export function bookLanguage(
  { actions, language }: { actions: PortableActions; language: string },
  { typography }: Pick<BookOptions, 'typography'>,
): ProseLanguage {
  let text = ''
  for (const action of actions) {
    text += `${action.text}\n`
    if (text.length > ENOUGH) break
  }
  const detected = proseLanguage(text, language)
  return typography ? detected : { ...detected, marks: 'und' }
}

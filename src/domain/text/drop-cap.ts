import { withoutMarkup } from './prose-markup.ts'

/** Characters of a paragraph that fill the two lines beside a drop cap, however long the reader's lines are. */
const TWO_LINES = 200

/** A capital, and a quotation mark before it, in a script whose letters stand apart. */
const CAPITAL = /^["“„«‘']?(?=\p{Lu})[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u

/** True if the first paragraph is long enough, and its letters do not join. */
export function takesDropCap(text: string): boolean {
  const [first = ''] = text.trim().split(/\n\s*\n/, 1)
  return first.length >= TWO_LINES && CAPITAL.test(withoutMarkup(first))
}

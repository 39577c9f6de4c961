import { RE2JS } from 're2js'

/** A compiled pattern. Searching takes time linear in the length of the text. */
export interface Pattern {
  /** The start of the last match in a text; -1 if there is none. */
  lastIn: (text: string) => number
}

/** A slash in it is escaped or inside a class. */
const WRITTEN = /^\/((?:[^\\/[]|\\[\s\S]|\[(?:[^\\\]]|\\[\s\S])*\])+)\/([dgimsuvy]*)$/
const MAX_LENGTH = 200
/** States of the automaton: each may cost a step for each character of a text. */
const MAX_STATES = 500
const FLAGS = [
  ['i', RE2JS.CASE_INSENSITIVE],
  ['s', RE2JS.DOTALL],
] as const

/** Compiles `/a pattern/` with flags, of which i and s count; undefined if it is invalid, too large or not linear. */
export function compilePattern(written: string): Pattern | undefined {
  const [, source, letters = ''] = WRITTEN.exec(written.normalize('NFC')) ?? []
  if (source === undefined || source.length > MAX_LENGTH) return undefined
  const flags = FLAGS.reduce(
    (all, [letter, flag]) => (letters.includes(letter) ? all | flag : all),
    RE2JS.MULTILINE,
  )
  try {
    const translated = RE2JS.translateRegExp(source)
    const any = RE2JS.compile(translated, flags)
    if (any.programSize() > MAX_STATES) return undefined
    // Everything before the group is greedy, so the group is the last match.
    const last = RE2JS.compile(`(?s:.*)(${translated})`, flags)
    return {
      lastIn: (text) => {
        const matcher = any.test(text) ? last.matcher(text) : undefined
        return matcher?.find() ? matcher.start(1) : -1
      },
    }
  } catch {
    return undefined
  }
}

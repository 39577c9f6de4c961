/** A question in an author's text: `${Your name}`. Its trimmed words are its name. */
const PLACEHOLDER = /\$\{([^}]+)\}/g

/** Answers by the name of their question. */
export type Answers = Record<string, string>

/** The questions in some texts, each once, in order of first appearance. A blank `${ }` asks nothing. */
export function questionsIn(texts: readonly string[]): string[] {
  const names = texts.flatMap((text) =>
    [...text.matchAll(PLACEHOLDER)].map((match) => (match[1] ?? '').trim()),
  )
  return [...new Set(names)].filter(Boolean)
}

/** A text with its questions answered. A question without an answer stays as it is; answers are not filled again. */
export function fill(text: string, answers: Answers): string {
  return text.replace(PLACEHOLDER, (asked, name: string) =>
    Object.hasOwn(answers, name.trim()) ? (answers[name.trim()] ?? asked) : asked,
  )
}

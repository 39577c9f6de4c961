/** Form of texts for an embedding model. `name` is stored with the vectors: others are not comparable. */
export interface EmbeddedText {
  name: string
  passage: (text: string) => string
  query: (text: string) => string
  /** True if a request has to name the kind of its texts. */
  isTyped: boolean
}

/** An embedding model, with the kind of a request's texts where it embeds these differently. */
export interface EmbeddingModel {
  model: string
  input_type?: 'passage' | 'query'
}

// E5 was trained with "query: " and "passage: " before each text and works worse without (Multilingual E5, arXiv 2402.05672,
// and https://huggingface.co/intfloat/multilingual-e5-small). Its instruct variants are not: they take an instruction.
const E5 = /(?<![a-z0-9])e5(?![a-z0-9])/i
const INSTRUCTED = /instruct|mistral/i

export function embeddedTextFor(model: string): EmbeddedText {
  if (!E5.test(model) || INSTRUCTED.test(model))
    return { name: `in context: ${model}`, passage: beginningOf, query: (text) => text, isTyped: false }
  // With its form in the name, vectors that were made in another are made again.
  return {
    name: `passage in context: ${model}`,
    passage: (text) => `passage: ${beginningOf(text)}`,
    query: (text) => `query: ${text}`,
    // Servers that add the prefix themselves treat all texts as queries without this field.
    isTyped: true,
  }
}

export function embeddingModel(
  { isTyped }: EmbeddedText,
  model: string,
  input_type: 'passage' | 'query',
): EmbeddingModel {
  return isTyped ? { model, input_type } : { model }
}

const SPEECH = /^> (?:You say )?"([\s\S]+)"$/

/** Characters. The models known for embeddings read 512 tokens, and what follows is cut off. */
const MAX_TEXT = 1_500
/** Characters of the passage before it. */
const MAX_CONTEXT = 500

/** Prepends the end of the passage before it, which says whom and what it speaks of. */
export function passageInContext({ text, before }: { text: string; before: string }): string {
  return before === '' ? text : `${before.slice(-MAX_CONTEXT)}\n${text}`
}

/** Reduces speech to what is said. */
export function embeddedLine(line: string): string {
  const [, said = line.replace(/^> /, '')] = SPEECH.exec(line) ?? []
  return said.slice(-MAX_TEXT)
}

function beginningOf(text: string): string {
  return text.slice(0, MAX_TEXT)
}

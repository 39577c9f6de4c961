/** How texts are written for an embedding model. `name` is stored with the vectors: others are not comparable. */
export interface EmbeddedText {
  name: string
  /** A passage or a note. */
  passage: (text: string) => string
  query: (text: string) => string
  /** Whether a request has to say which of both its texts are. */
  isTyped: boolean
}

/** A model that embeds, and what the texts of a request are, where it embeds these differently. */
export interface EmbeddingModel {
  model: string
  input_type?: 'passage' | 'query'
}

// E5 was trained with "query: " and "passage: " before each text and works worse without (Multilingual E5, arXiv 2402.05672,
// and https://huggingface.co/intfloat/multilingual-e5-small). Its instruct variants are not: they take an instruction.
const E5 = /(?<![a-z0-9])e5(?![a-z0-9])/i
const INSTRUCTED = /instruct|mistral/i

/** The form in which an embedding model wants its texts, by its name. */
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

/** A model as it is asked for texts of one type. */
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
/** Of the passage before one. */
const MAX_CONTEXT = 500

/** A passage as it is embedded: behind the end of the one before it, which says whom and what it speaks of. */
export function passageInContext({ text, before }: { text: string; before: string }): string {
  return before === '' ? text : `${before.slice(-MAX_CONTEXT)}\n${text}`
}

/** A player's line as it is embedded: of a speech what is said. */
export function embeddedLine(line: string): string {
  const [, said = line.replace(/^> /, '')] = SPEECH.exec(line) ?? []
  return said.slice(-MAX_TEXT)
}

function beginningOf(text: string): string {
  return text.slice(0, MAX_TEXT)
}

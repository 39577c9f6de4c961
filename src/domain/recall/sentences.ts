/** The sentences of a text, with what stands between them. */
export function sentencesOf(text: string): string[] {
  return text.split(SENTENCE_END)
}

const SENTENCE_END = /(?<=[.!?\u2026\u3002\uff01\uff1f\u061f\u0964\u055e][^\p{L}\p{N}\s]*)(?=[\s\p{L}\p{N}])/u

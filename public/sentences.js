// Finds complete sentences in text that is still streaming.

/**
 * The end of a sentence. It takes what follows to be sure, since a lower-case letter continues the sentence. A run of
 * marks is tried only once, from its start.
 */
const END =
  /(?<!\b(?:Mr|Mrs|Ms|Dr|St))(?<![.!?…؟۔।])[.!?…؟۔।]+(?![.!?…؟۔।])["'“”’«»*_\p{Pe}]*(?=\s(?:(?:\s|["'“”‘„«»*_\p{Ps}\p{Pd}])*(?!["'“”‘„«»*_\p{Ps}\p{Pd}])[^\s\p{Ll}]|(?:[^\S\n]|["'“”‘„«»*_\p{Ps}\p{Pd}])*\n\s*\n))|(?<![。！？｡])[。！？｡]+(?![。！？｡])["'“”’«»*_\p{Pe}]*(?=[^。！？｡\s"'“”’«»*_\p{Pe}])|\n\s*\n/gu

/** A text that looks like it ends with a complete sentence. */
const SEEMS_ENDED = /[.!?…؟۔।。！？｡]["'“”’«»*_\p{Pe}]*\s*$/u

/** The complete sentences of the text so far, and how many characters they take. */
export function completeIn(text) {
  let used = 0
  const sentences = []
  for (const { index, 0: end } of text.matchAll(END)) {
    sentences.push(text.slice(used, index + end.length))
    used = index + end.length
  }
  return { sentences: sentences.map(plain).filter(hasWords), used }
}

/** All sentences of a text that has ended. */
export function sentencesIn(text) {
  const { sentences, used } = completeIn(text)
  return [...sentences, plain(text.slice(used))].filter(hasWords)
}

export function seemsEnded(text) {
  return SEEMS_ENDED.test(text)
}

// Emphasis is not read out.
function plain(sentence) {
  return sentence
    .replace(/\*+(?=\S)|(?<=\S)\*+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

function hasWords(sentence) {
  return /[\p{L}\p{N}]/u.test(sentence)
}

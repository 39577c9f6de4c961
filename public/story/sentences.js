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

/**
 * The first sentence of a text, without its emphasis, and where it stands there, in characters; null where there is none, or
 * none that is complete in a text that may grow.
 */
export function firstSentence(text, mayGrow) {
  let start = 0
  for (const { index, 0: mark } of text.matchAll(END)) {
    const end = index + mark.length
    if (hasWords(text.slice(start, end))) return placed(text, start, end)
    start = end
  }
  return mayGrow || !hasWords(text.slice(start)) ? null : placed(text, start, text.length)
}

function placed(text, start, end) {
  const sentence = text.slice(start, end)
  return { words: plain(sentence), start: end - sentence.trimStart().length, end }
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

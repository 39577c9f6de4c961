/**
 * What ends a sentence: for certain only when it is seen what comes behind it, for a small letter goes on. A run of marks is
 * tried once, from its beginning.
 */
const END =
  /(?<!\b(?:Mr|Mrs|Ms|Dr|St))(?<![.!?…؟۔।])[.!?…؟۔।]+(?![.!?…؟۔।])["'“”’«»*_\p{Pe}]*(?=\s(?:(?:\s|["'“”‘„«»*_\p{Ps}\p{Pd}])*(?!["'“”‘„«»*_\p{Ps}\p{Pd}])[^\s\p{Ll}]|(?:[^\S\n]|["'“”‘„«»*_\p{Ps}\p{Pd}])*\n\s*\n))|(?<![。！？｡])[。！？｡]+(?![。！？｡])["'“”’«»*_\p{Pe}]*(?=[^。！？｡\s"'“”’«»*_\p{Pe}])|\n\s*\n/gu

/** A text that looks as if a sentence had ended with it. */
const SEEMS_ENDED = /[.!?…؟۔।。！？｡]["'“”’«»*_\p{Pe}]*\s*$/u

/** The sentences that are complete in what has been told so far, and how much of it they take. */
export function completeIn(text) {
  let used = 0
  const sentences = []
  for (const { index, 0: end } of text.matchAll(END)) {
    sentences.push(text.slice(used, index + end.length))
    used = index + end.length
  }
  return { sentences: sentences.map(plain).filter(isSaid), used }
}

/** All sentences of a text that has ended. */
export function sentencesIn(text) {
  const { sentences, used } = completeIn(text)
  return [...sentences, plain(text.slice(used))].filter(isSaid)
}

export function seemsEnded(text) {
  return SEEMS_ENDED.test(text)
}

// Marks of emphasis are seen, not heard.
function plain(sentence) {
  return sentence
    .replace(/\*+(?=\S)|(?<=\S)\*+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

function isSaid(sentence) {
  return /[\p{L}\p{N}]/u.test(sentence)
}

// Finds the sentences of a passage, as the browser knows them.

const ABBREVIATION = /\b(?:Mr|Mrs|Ms|Dr|St|Prof)\.$/

/** The elements of a passage that have text of their own, in their order. */
export function blocksOf(prose) {
  return [...prose.querySelectorAll('p, li, h3, h4, h5, h6')]
}

/**
 * The sentences of a text and their places in it. The last one of a text that grows may go on. `language` is a BCP 47 tag;
 * '' where it is not known.
 */
export function sentencesIn(text, language) {
  const segmenter = new Intl.Segmenter(language || undefined, { granularity: 'sentence' })
  const found = []
  // One line end ends no sentence.
  for (const { segment, index } of segmenter.segment(text.replace(/\n(?!\n)/g, ' '))) {
    const last = found.at(-1)
    const end = index + segment.trimEnd().length
    const goesOn = last && (ABBREVIATION.test(text.slice(0, last.end)) || !hasWords(segment))
    if (goesOn) last.end = Math.max(last.end, end)
    else if (hasWords(segment)) found.push({ start: index + segment.search(/\S/), end })
  }
  return found.map(({ start, end }) => ({ start, end, words: text.slice(start, end).replace(/\s+/g, ' ') }))
}

function hasWords(text) {
  return /[\p{L}\p{N}]/u.test(text)
}

/** What must never be shown to a reader, with its name. */
const NOT_PROSE: [string, RegExp][] = [
  ['template token', /<\|[\w ]{1,30}\|>|<\/?(start|end)_of_turn>|\[\/?INST\]|<<\/?SYS>>|<\/?s>/],
  ['role label', /^\W{0,4}(user|assistant|system|narrator|model|player)\W{0,3}(:|$)/i],
  ['our note', /World lore:|\[World\b|\[Earlier in the story|\[Author'?s note|\[Not accepted from/i],
  [
    'our question',
    /\[(Leave the story|Before the story goes on|A question beside|Tell what happens after this|End your reply)/i,
  ],
  ['state block', /state_delta|What this story counts/],
]

export interface NotProse {
  what: string
  line: string
}

/** The lines of a text that are not prose. */
export function notProseIn(text: string): NotProse[] {
  return text.split('\n').flatMap((line) => {
    const found = NOT_PROSE.find(([, pattern]) => pattern.test(line))
    return found ? [{ what: found[0], line }] : []
  })
}

/** The share of four-word sequences that have occurred before in the same text. */
export function repeatedShare(text: string): number {
  const words = text.toLowerCase().match(/[\p{L}\p{N}'’]+/gu) ?? []
  const seen = new Set<string>()
  let repeated = 0
  const all = Math.max(0, words.length - 3)
  for (let at = 0; at < all; at++) {
    const four = words.slice(at, at + 4).join(' ')
    if (seen.has(four)) repeated++
    seen.add(four)
  }
  return all === 0 ? 0 : repeated / all
}

/** More repetition than this is a loop. */
const LOOP = 0.3

export function isLoop(text: string): boolean {
  return repeatedShare(text) > LOOP
}

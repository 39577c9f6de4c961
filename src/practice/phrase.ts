import { capitalized } from '../lib/text.ts'
import { type Draw, shuffled } from './seeded-random.ts'

/** The values for `$name` in a phrase. `$Name` is the same value capitalised. */
export type Slots = Readonly<Record<string, string>>

/**
 * A template for a sentence: `{soft|low}` is a choice, `$thing` a slot. An unknown slot or an unclosed brace stays as it is;
 * tests check all phrases.
 */
export type Phrase = string

export function fillPhrase(phrase: Phrase, slots: Slots, draw: Draw): string {
  const chosen = phrase.replace(/\{([^{}]*)\}/g, (_, options: string) => {
    const list = options.split('|')
    return list[draw(list.length)] ?? ''
  })
  return chosen.replace(/\$([A-Za-z]+)/g, (name, word: string) => {
    const value = slots[word]
    if (value !== undefined) return value
    const lower = slots[word.charAt(0).toLowerCase() + word.slice(1)]
    return lower === undefined ? name : capitalized(lower)
  })
}

/** The text so far, in this reply and in the part of the story in the prompt. */
interface UsedText {
  /** The narrator's earlier text in lower case. */
  earlier: string
  /** The first words of the latest replies, newest first. */
  openings: readonly string[]
  /** The sentences of this reply. */
  sentences: readonly string[]
}

/**
 * The sentence that repeats least: not used before, not starting like the previous one, and sharing no distinctive word
 * with this reply. If all were used before, the one used longest ago.
 */
export function freshest(phrases: readonly Phrase[], slots: Slots, used: UsedText, draw: Draw): string {
  let best = ''
  let least = Number.POSITIVE_INFINITY
  for (const phrase of shuffled(phrases, draw)) {
    const sentence = fillPhrase(phrase, slots, draw)
    const cost = staleness(phrase, used.earlier) + similarity(sentence, used, slots)
    if (cost < least) {
      best = sentence
      least = cost
    }
    if (least === 0) break
  }
  return best
}

function staleness(phrase: Phrase, earlier: string): number {
  const fixed = longestFixedText(phrase)
  const at = fixed === '' ? -1 : earlier.lastIndexOf(fixed)
  return at === -1 ? 0 : 8 + (8 * at) / earlier.length
}

/** The longest fixed text of a phrase, which identifies it whatever its slots contain. */
function longestFixedText(phrase: Phrase): string {
  if (!/[{$]/.test(phrase)) return phrase.toLowerCase()
  const runs = phrase.split(/\{[^{}]*\}|\$[A-Za-z]+/)
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '').toLowerCase()
  return longest.length < 10 ? '' : longest
}

function similarity(sentence: string, { sentences, openings }: UsedText, slots: Slots): number {
  const first = opening(sentence, 1)
  const pair = opening(sentence, 2)
  const previous = sentences.at(-1) ?? openings[0] ?? ''
  let cost = opening(previous, 1) === first ? 3 : 0
  if (sentences.length === 0 && openings.some((earlier) => opening(earlier, 2) === pair)) cost += 2
  if (sentences.some((earlier) => opening(earlier, 2) === pair)) cost += 2
  const given = strongWords(Object.values(slots).join(' '))
  const recent = new Set(sentences.flatMap((earlier) => [...strongWords(earlier)]))
  for (const word of strongWords(sentence)) if (recent.has(word) && !given.has(word)) cost += 1
  return cost
}

function opening(sentence: string, words: number): string {
  return sentence.toLowerCase().split(' ', words).join(' ')
}

function strongWords(text: string): Set<string> {
  const words = text.toLowerCase().match(/[a-z]{5,}/g) ?? []
  return new Set(words.filter((word) => !WEAK.has(word)).map((word) => word.slice(0, 6)))
}

const WEAK = new Set(
  'there their where which while would could about after again still though before other something nothing someone'.split(
    ' ',
  ),
)

import { type Draw, shuffled } from './seeded-random.ts'

/** What stands for `$name` in a phrase. `$Name` is the same with a capital. */
export type Slots = Readonly<Record<string, string>>

/**
 * A sentence in the making: `{soft|low}` is one of several, `$thing` is what the story has put there. An unknown
 * slot or an unclosed brace stays as it is: phrases are ours, and the tests read them all.
 */
export type Phrase = string

/** Says a phrase. */
export function say(phrase: Phrase, slots: Slots, draw: Draw): string {
  const chosen = phrase.replace(/\{([^{}]*)\}/g, (_, options: string) => {
    const list = options.split('|')
    return list[draw(list.length)] ?? ''
  })
  return chosen.replace(/\$([A-Za-z]+)/g, (name, word: string) => {
    const plain = slots[word]
    if (plain !== undefined) return plain
    const lower = slots[word.charAt(0).toLowerCase() + word.slice(1)]
    return lower === undefined ? name : capital(lower)
  })
}

/** The slots that a phrase needs, in lower case. */
export function slotsOf(phrase: Phrase): string[] {
  return [...phrase.matchAll(/\$([A-Za-z]+)/g)].map(
    ([, word = '']) => word.charAt(0).toLowerCase() + word.slice(1),
  )
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** What has been said so far, in this reply and in the part of the story that the prompt shows. */
export interface Said {
  /** The narrator's earlier words in lower case. */
  told: string
  /** The first words of the latest replies, newest first. */
  openings: readonly string[]
  /** The sentences of this reply. */
  here: readonly string[]
}

/**
 * The sentence that repeats least: not told before, not beginning like its neighbour, and sharing no strong word with
 * this reply. When all have been told, the one told longest ago.
 */
export function freshest(phrases: readonly Phrase[], slots: Slots, said: Said, draw: Draw): string {
  let best = ''
  let least = Number.POSITIVE_INFINITY
  for (const phrase of shuffled(phrases, draw)) {
    const sentence = say(phrase, slots, draw)
    const cost = staleness(phrase, said.told) + sameness(sentence, said, slots)
    if (cost < least) {
      best = sentence
      least = cost
    }
    if (least === 0) break
  }
  return best
}

function staleness(phrase: Phrase, told: string): number {
  const mark = markOf(phrase)
  const at = mark === '' ? -1 : told.lastIndexOf(mark)
  return at === -1 ? 0 : 8 + (8 * at) / told.length
}

/** The longest run of fixed words: by it a phrase is known again, whatever filled its gaps. */
function markOf(phrase: Phrase): string {
  if (!/[{$]/.test(phrase)) return phrase.toLowerCase()
  const runs = phrase.split(/\{[^{}]*\}|\$[A-Za-z]+/)
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '').toLowerCase()
  return longest.length < 10 ? '' : longest
}

function sameness(sentence: string, { here, openings }: Said, slots: Slots): number {
  const first = opening(sentence, 1)
  const pair = opening(sentence, 2)
  const neighbour = here.at(-1) ?? openings[0] ?? ''
  let cost = opening(neighbour, 1) === first ? 3 : 0
  if (here.length === 0 && openings.some((earlier) => opening(earlier, 2) === pair)) cost += 2
  if (here.some((earlier) => opening(earlier, 2) === pair)) cost += 2
  const given = strongWords(Object.values(slots).join(' '))
  const used = new Set(here.flatMap((earlier) => [...strongWords(earlier)]))
  for (const word of strongWords(sentence)) if (used.has(word) && !given.has(word)) cost += 1
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

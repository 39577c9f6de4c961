import { type Draw, drawFrom } from '../src/practice/seeded-random.ts'

const SYLLABLES =
  'a an ar ba bel ca da de den dor e el en er fa fen ga gar ha hel i il in ka la lan le lo ma mar me mi mor na ne no o or pe ra re ren ri ro sa se sel ta tan te ti tor u ul va ven wa wen'
const WORDS = 6_000

/**
 * Prose of words that do not exist. They are as frequent as the words of a language (Zipf's law), so that compression and
 * indexes find in it about what they find in real prose. Returns texts of about the given number of characters.
 */
export function proseFrom(seed: number): (characters: number) => string {
  const draw = drawFrom(seed)
  const word = wordsFrom(drawFrom(1))
  return (characters) => {
    const sentences: string[] = []
    for (let length = 0; length < characters; length += (sentences.at(-1)?.length ?? 0) + 1)
      sentences.push(sentence(draw, () => word(draw)))
    return sentences
      .map((text, index) => text + (index % 5 === 4 ? '\n\n' : ' '))
      .join('')
      .trim()
  }
}

function sentence(draw: Draw, word: () => string): string {
  const words = Array.from({ length: 6 + draw(14) }, () => word() + (draw(9) === 0 ? ',' : ''))
  const text = words.join(' ').replace(/,$/, '')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${'.....?!'[draw(7)]}`
}

function wordsFrom(draw: Draw): (draw: Draw) => string {
  const syllables = SYLLABLES.split(' ')
  const words = new Set<string>()
  // Frequent words are short.
  while (words.size < WORDS) {
    const length = 1 + Math.floor(Math.log10(words.size + 1)) + draw(2)
    words.add(Array.from({ length }, () => syllables[draw(syllables.length)]).join(''))
  }
  const list = [...words]
  let sum = 0
  const sums = list.map((_, rank) => (sum += 1 / (rank + 2.7)))
  return (pick) => {
    const wanted = (pick(1_000_000) / 1_000_000) * sum
    let [low, high] = [0, list.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] ?? 0) < wanted) low = middle + 1
      else high = middle
    }
    return list[low] ?? ''
  }
}

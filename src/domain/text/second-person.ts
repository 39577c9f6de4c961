/** Speech in quotation marks; speech that is not closed goes to the end of the text. */
export const SPEECH = /("[^"]*(?:"|$)|“[^”]*(?:”|$)|„[^“”]*(?:[“”]|$)|«[^»]*(?:»|$))/u

/** The words of the first person, as players write them, and those of the second. Contractions end as they do. */
const SECOND = new Map([
  ['i', 'you'],
  ['we', 'you'],
  ['me', 'you'],
  ['us', 'you'],
  ["let's", 'you'],
  ['im', "you're"],
  ["i'm", "you're"],
  ['ive', "you've"],
  ['imma', "you're gonna"],
  ["i'ma", "you're gonna"],
  ["i'mma", "you're gonna"],
  ['my', 'your'],
  ['our', 'your'],
  ['ours', 'yours'],
  ['myself', 'yourself'],
  ['ourselves', 'yourselves'],
])

/** Words that are contractions only at the beginning of a line. */
const AT_FIRST = new Map([
  ['ill', "you'll"],
  ['id', "you'd"],
])

const WORD = /[\p{L}\p{N}_]+(?:['’][\p{L}\p{N}_]+)*/gu

function secondOf(word: string, at: number, text: string): string | undefined {
  if (word === 'US' || text.startsWith('.e', at + word.length)) return undefined
  const plain = word.toLowerCase().replace('’', "'")
  const whole = SECOND.get(plain) ?? (at === 0 && text[word.length] === ' ' ? AT_FIRST.get(plain) : undefined)
  if (whole !== undefined) return word.includes('’') ? whole.replace("'", '’') : whole
  const [, subject, ending] = /^(i|we)('(?:d|ll|ve|re).*)$/.exec(plain) ?? []
  return subject && ending ? `you${word.slice(-ending.length)}` : undefined
}

const BE = new Map([
  ['am', 'are'],
  ['was', 'were'],
  ["wasn't", "weren't"],
  ['wasn’t', 'weren’t'],
])
const AFTER_YOU =
  /(?<![\p{L}\p{N}])(you(?: (?:\p{L}+ly|also|just|still|always|never|once|now|already|almost|then)){0,2} )(am|was|wasn['’]t)(?!\p{L})/giu
const BEFORE_YOU = /(?<!\p{L})(am|was|wasn['’]t)(?= you(?![\p{L}'’]))/giu
const MINE =
  /(?<=\b(?:of|is|are|was|were|be|than|['’]s) )mine(?=$|[.,;:!?]| (?:and|but|or|now|again|too)\b)/gi

/** Ignores speech. */
export function isFirstPerson(line: string): boolean {
  return withoutSpeech(line).some((part) =>
    [...part.matchAll(WORD)].some(({ 0: word, index }) => secondOf(word, index, part) !== undefined),
  )
}

/** Ignores speech. */
export function isSecondPerson(line: string): boolean {
  return withoutSpeech(line).some((part) =>
    /(?<![\p{L}\p{N}])you(?:r|rs|rself)?(?![\p{L}\p{N}])/iu.test(part),
  )
}

function withoutSpeech(line: string): string[] {
  return line.split(SPEECH).filter((_, i) => i % 2 === 0)
}

/** An English line in the second person: "I open my bag" becomes "you open your bag". Speech stays as it is. */
export function secondPerson(line: string): string {
  return line
    .split(SPEECH)
    .map((part, i) => (i % 2 === 0 ? turned(part) : part))
    .join('')
}

function turned(part: string): string {
  const be = (verb: string) => BE.get(verb.toLowerCase()) ?? verb
  return part
    .replace(WORD, (word, at: number) => secondOf(word, at, part) ?? word)
    .replace(AFTER_YOU, (_, before: string, verb: string) => before + be(verb))
    .replace(BEFORE_YOU, be)
    .replace(/(?<!\d ?)\bam\b/g, 'are')
    .replace(MINE, 'yours')
    .replace(/^mine(?= (?:is|are|was|were)\b)/i, 'yours')
    .replace(/(?<=[.!?…]\s+|\n)you/g, 'You')
}

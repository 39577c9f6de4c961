/** Common English words that do not exist in the languages below. */
const ENGLISH =
  wordSet(`i'm i'll i've i'd my myself you your the and to of at with it it's this that what who how then from
  into up out off down about his him their them not don't can should would have if but by back again around under after
  before while through all there here some any are as`)

/** The first person singular in other languages. */
const PRONOUNS = wordSet('ich je yo io eu ik jag jeg eg minä já én saya aku tôi ako j')

/** Common words of other languages in Latin letters that do not exist in English. */
const FOREIGN =
  wordSet(`du wir ihr mein meine meinen meinem mich mir der das dem und nicht mit zu ein eine einen einem auf
  nach für ist tu nous vous ma mes moi le la les une des et dans avec sur est qui vers mis el los las una por para hacia
  del soy estoy y mio mia gli il lo che per nel nella verso sono meu minha uma não ao da mijn het een naar niet jij min
  mitt mina och og ett på inte ikke är minun ei se ja moje mój moją się nie w že jsem můj egy az és nem bir ve benim için
  yang`)

export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/))
}

const LATIN = /^[\p{Script=Latin}\p{M}']*$/u
const ACCENTED = /[^\p{ASCII}]/u

/** True unless a line has more words of another language. */
export function mayBeEnglish(line: string): boolean {
  return englishSurplus(line) >= 0
}

/** True for a line that begins with "you", or has more words of English than of another language. */
export function isSurelyEnglish(line: string): boolean {
  return /^you\b/i.test(line) || englishSurplus(line) > 0
}

/** Words of English minus words of another language. */
function englishSurplus(line: string): number {
  const words = line.replaceAll('’', "'").match(/[\p{L}\p{M}']+/gu) ?? []
  if (words.some((word) => !LATIN.test(word))) return -1
  if (PRONOUNS.has(words[0]?.toLowerCase().replace(/'.*/, '') ?? '')) return -1
  let surplus = 0
  for (const [at, word] of words.entries()) {
    const folded = word.toLowerCase()
    if (word === 'I' || (folded === 'i' && at === 0) || ENGLISH.has(folded)) surplus++
    // "i" in the middle of a sentence is "and" in some languages and an article in Italian. Accents in names prove nothing.
    else if (folded === 'i' || FOREIGN.has(folded) || (ACCENTED.test(word) && (at === 0 || word === folded)))
      surplus--
  }
  return surplus
}

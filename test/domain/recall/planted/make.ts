// Writes story.json from facts.txt: about 1,000 filler memories, 100 facts planted among them, and for each fact the
// turn that asks for it. Run once, before any ranking was tuned (FROZEN.md).
import { Database } from 'bun:sqlite'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FILLERS = 1000
const ACTIONS_A_MEMORY = 6
const DISTANCE = 1000 // 500 turns of two actions
const SHARED = 3

const PEOPLE = words(
  `Marta Bren Ilse Corvin Tamsin Oswin Hela Dorrick Wynn Sabeth Garrow Nessa Perrin Ulla Joss Maeve Aldous Rurik
  Linnet Edda Fenn Tobias Yarrow Quill`,
)
const DECKS: Record<string, string[]> = {
  P: [...PEOPLE, ...words('Marta Bren Ilse Corvin')],
  R: words(
    `brother sister mother father daughter son wife husband uncle friend captain priest miller smith king queen
    soldier widow thief healer prisoner boy woman`,
  ),
  L: words(
    `abbey attic bridge cave cellar chapel crypt ferry garden gate harbour inn kitchen library lighthouse market
    marsh mill orchard quarry tower well river spring roof stair floor grave tree rock`,
  ),
  T: words(
    `key lock letter map knife coin book rope cloak coat bell horse boat sword candle mirror box seed flute medicine
    bread wine salt dog raven crown bottle chain door window barrel needle stone bone feather ring thread root glove
    doll tooth page honey bed`,
  ),
  S: words('song name secret debt oath lie game voice promise sound life moon blood'),
  A: words(
    `silver red black blue wooden white small golden green holy cold oldest open false burnt cracked second little
    young blind lame drunk dark gold drowned stolen poisoned hidden new dead true last first`,
  ),
  E: words('war storm flood fever harvest summer winter snow fire wedding'),
  N: words('dawn night day'),
  B: words('eye hand hair mouth back leg scar'),
  V: words(
    `hid lost found broke burned buried carried kept stole sold traded threw put gave left mended painted borrowed
    won forged copied sewed locked cut paid saw planted spilled made struck`,
  ),
  H: words('killed married healed taught warned saved told heard hanged followed'),
  W: words('keeps fears hates knows sees wears brings sells carries reads hides trusts pays smells'),
  D: words(
    'sing swim talk walk read sleep speak drink lie follow stop keep find make buy burn see throw kill bury',
  ),
  I: words('dreamed lied laughed swore died drank ate wrote sang walked talked lived'),
  G: words('standing lying speaking walking hiding'),
}
const MEMORIES = `
{P} {V} the {A} {T} that the {R} {V} at the {L}.
{P} {V} a {A} {T} behind the {L} during the {E}, and the {R} {V} it.
You {V} the {T} of the {R} by the {L}; {P} {H} you for it.
{P} promised {P} the {A} {T} before the {E} came.
The {R} {H} {P} at {N} about the {T} in the {L}.
{P} has a {A} mark on the {B} from the {E}, and the {R} {W} it.
{P} owes the {R} of the {L} forty coins and a {A} {T}.
The {A} {T} of {P} once belonged to a {R} who {I} in the {E}.
{P} was born in the {A} {L}, where the {R} {V} the {T}.
{P} {I} at the {L} and {V} the {T} of the {R}.
The {R} {W} the {A} {T} and does not trust {P} with it.
{P} was born at the {L} in the {E} and cannot {D} to this {N}.
{P} is afraid of the {A} {T} and will not {D} near the {L}.
{P} swore an oath on the {T} to {D} with the {R} after the {E}.
You saw {P} {G} at the {L} at {N} with a {A} {T} in the {B}.
{P} sent a {T} to the {R}, who believes that the {S} is {A}.
In the {L} {P} told you the {S} of the {R} and {V} a {T}.
The {R}'s {B} was {A}, and {P} {H} the {R} for the {S}.
{P} and the {R} {V} the {T} in a game at the {L}.
{P} {W} the {R} since the {E} and {V} the {A} {T}.
A {A} {T} rang in the {L}, and {P} {I} until {N}.
{P} works at the {L} for the {R} and {W} the {A} {T}.
{P} drank with the {R} at the {L} and {V} the {S}.
The {S} of the {R} is written on a {A} {T} which {P} {V}.
Something rang in the {L} at {N}, and {P} carved a {T}.
{P} carved the {T} from the wood of the {L} before the {E}.
{P} loves to {D} at the {L} and will not {D} with the {R}.
The {R} of {P} grows {A} roots in the {L}, fed with {S} and water.
{P} heard the {R} {D} in the {L} when the {E} was over.
{P} brought the {R} a {T} and a {T} from the {L}.
On the {N} of the {E} {P} {H} a {R} with a {A} {T}.
The {R} {I} when {P} {V} the {T} at the {L}.
{P} read the {S} of the {R} in a {A} {T} and hears it at {N}.
It is said that {P} helped to {D} and {D} when the {L} was {A}.
{P} {V} water from the {L} for the {R}, and a {T} hides in it.
{P} must {D} for the {R}, who wrote to the {R} of the {L}.
With {A} {B} and a {T}, {P} crossed the {L} in the {E}.
{P} stood on wood and stone in the {L} and {I} about the {S}.
`
const TAILS = `
{P} {W} the {T}.
The {R} {V} it, and {P} {W} the {A} {T}.
Since then {P} is {G} by the {L} and must pay for the {T}.
{P} {H} the {R} and {V} the {T}.
You {V} it, but {P} {V} the {S} of the {R}.
The {R} {H} {P} for it and {W} the {T}.
The {R} cannot {D} now, {G} with {P} in the {L}.
{P} is still paying the {R} and {W} the {S}.
The {R} {V} it and {H} {P}.
{P} {I} and the {R} held a {B}, a {A} one.
The {R} {I}, for {P} would not {D} and hurt a {B}.
With a {A} {B} one can still {D}, the {R} said.
{P} {I} when the {R} began to {D}.
`
const NARRATED = `
The {L} is full of smoke. {P} wipes a {A} {T} on a sleeve while the {R} counts to ten. Nobody has slept since the {E}.
You share bread and cheese by the {L}. {P} talks of the {E}, and the {R} throws a {T} from hand to hand.
It rains. {P} leads the mule past the {L}, and a {R} with a {A} {T} nods to you from a doorway.
{P} is late. On the table lie a {T}, a {A} {T} and the remains of a meal. The {R} shrugs.
A crowd has gathered at the {L}. They say that a {R} has {V} something again, and {P} pulls you on.
The path winds down from the {L}. {P} whistles. Far off the {R} is mending a {T}, as on every {N}.
Evening comes. {P} tells the one about the {R} and the {A} {T}, and even the {R} smiles a little.
There are footprints by the {L}, and a {T} lies in the mud. {P} turns it over with one boot.
`
const PLAYED = `
I give {P} the {T} and look around the {L}.
"Have you seen the {R}?" I ask {P}.
I sit down beside {P} and wait for the {N}.
I wrap the {A} {T} in a cloth and follow {P} to the {L}.
"We should leave before the {E}," I tell {P}.
I ask the {R} for a {T} and something hot to drink.
I look for a {A} {T} among the things of the {R}.
I thank the {R} and go on.
`

interface Planted {
  fact: string
  lead: string
  line: string
}

const random = mulberry(20_261_121)
const used = new Map<string, number>()
const counted = new Database(':memory:')
counted.run("CREATE VIRTUAL TABLE texts USING fts5(text, tokenize = 'porter unicode61 remove_diacritics 2')")

const planted = readPlanted()
const fillers = Array.from({ length: FILLERS }, () => `${tell(lines(MEMORIES))} ${tell(lines(TAILS))}`)
const places = new Set<number>()
// Facts stand in the last two thirds of the story, so that many other memories are older than the asking turn.
while (places.size < planted.length) places.add(300 + Math.floor(random() * (FILLERS + planted.length - 300)))
const order = shuffle(planted.map((_, index) => index))
const story = placed([...places].sort((a, b) => a - b))

writeFileSync(join(import.meta.dir, 'story.json'), `${JSON.stringify(story, null, 1)}\n`)

function placed(slots: number[]) {
  const memories: { text: string; source_start: number; source_end: number }[] = []
  const askings: { fact: number; newest: string[]; line: string; index: number }[] = []
  const remaining = [...fillers]
  for (let place = 0; place < FILLERS + planted.length; place++) {
    const start = place * ACTIONS_A_MEMORY
    const rank = slots.indexOf(place)
    const one = rank < 0 ? undefined : planted[order[rank] ?? 0]
    memories.push({
      text: one?.fact ?? remaining.pop() ?? '',
      source_start: start,
      source_end: start + ACTIONS_A_MEMORY - 1,
    })
    if (one) askings.push({ fact: place, ...asking(one), index: start + ACTIONS_A_MEMORY - 1 + DISTANCE })
  }
  return { memories, askings }
}

/** The three actions before the line, and the line. Drawn again until it shares no more than three words. */
function asking({ fact, lead, line }: Planted) {
  for (let tries = 0; ; tries++) {
    if (tries > 500) throw new Error(`Too many shared words: ${fact}`)
    const newest = [tell(lines(NARRATED)), tell(lines(PLAYED)), lead]
    if (sharedWords(fact, [...newest, line].join('\n')) <= SHARED) return { newest, line }
  }
}

function sharedWords(fact: string, text: string): number {
  counted.run('DELETE FROM texts')
  counted.query('INSERT INTO texts (text) VALUES (?)').run(text)
  const matches = counted.query<{ n: number }, [string]>(
    'SELECT count(*) AS n FROM texts WHERE texts MATCH ?',
  )
  return contentWords(fact).filter((word) => matches.get(`"${word}"`)?.n === 1).length
}

function contentWords(text: string): string[] {
  const stop = new Set(readFileSync(join(import.meta.dir, 'function-words.txt'), 'utf8').split(/\s+/))
  return [...new Set(text.toLowerCase().match(/[a-z]{3,}/g) ?? [])].filter((word) => !stop.has(word))
}

/** Fills a template; each slot takes one of the words used least so far, so that no word is rare. */
function tell(templates: string[]): string {
  const template = templates[Math.floor(random() * templates.length)] ?? ''
  const here = new Set<string>()
  return template.replace(/\{(\w)\}/g, (_, slot: string) => {
    const deck = (DECKS[slot] ?? []).filter((word) => !here.has(word))
    const least = Math.min(...deck.map((word) => uses(slot, word)))
    const near = deck.filter((word) => uses(slot, word) <= least + 3)
    const word = near[Math.floor(random() * near.length)] ?? ''
    used.set(`${slot} ${word}`, (used.get(`${slot} ${word}`) ?? 0) + 1)
    here.add(word)
    return word
  })
}

function uses(slot: string, word: string): number {
  const count = used.get(`${slot} ${word}`) ?? 0
  const copies = (DECKS[slot] ?? []).filter((one) => one === word).length
  return count / copies
}

function readPlanted(): Planted[] {
  return lines(readFileSync(join(import.meta.dir, 'facts.txt'), 'utf8'))
    .filter((line) => !line.startsWith('#'))
    .map((line) => {
      const [fact = '', lead = '', asked = ''] = line.split('|').map((part) => part.trim())
      return { fact, lead, line: asked }
    })
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '')
}

function words(text: string): string[] {
  return text.split(/\s+/).filter(Boolean)
}

function shuffle<T>(list: T[]): T[] {
  for (let last = list.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    ;[list[last], list[other]] = [list[other] as T, list[last] as T]
  }
  return list
}

function mulberry(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

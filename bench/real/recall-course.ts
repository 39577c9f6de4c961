import type { TurnType } from './course.ts'

/** Something that the player tells early and asks for late, in other words than it was told. */
export interface Fact {
  told: { kind: TurnType; text: string }
  asked: string
}

const said = (told: string, asked: string): Fact => ({ told: { kind: 'say', text: told }, asked })
const done = (told: string, asked: string): Fact => ({ told: { kind: 'do', text: told }, asked })

/** Ten facts, told between ordinary lines. */
export const FACTS: readonly Fact[] = [
  said('My sister Ilse keeps bees on the roof of the old mill.', 'What does my sister Ilse keep?'),
  done('hide the silver thimble under the third stair', 'Where did I hide the thimble?'),
  said('I am afraid of geese, ever since the farm.', 'Which animals am I afraid of?'),
  done('promise Abernathy to bring him apricot jam on Sunday', 'What did I promise to bring Abernathy?'),
  said('The password of the cellar is "heron".', 'What was the password of the cellar?'),
  done('bury the broken compass beneath the pear tree', 'Where is the compass buried?'),
  said(
    'My father sailed on a whaler named Constance.',
    'What was the name of the whaler my father sailed on?',
  ),
  done('lend my umbrella to a violinist called Petra', 'Who has my umbrella?'),
  said('The chimney sweep owes me eleven florins.', 'How many florins does the sweep owe me?'),
  done('carve a small owl into the window sill', 'What did I carve into the sill?'),
]

const BEGINNINGS =
  'look at the shelf|listen at the door|walk up and down|turn a page|wind the clock|sweep the floor|stroke the cat|make some tea|look out at the rain|light another candle|sort a pile of books|count the coins|read a postcard|dust the counter|sit down'.split(
    '|',
  )
const ENDS =
  ' and wait| for a while| without a word| and yawn|, humming| once more| and think of Odile| until the bell rings| slowly| with a sigh| and smile'.split(
    '|',
  )

/** A line about nothing in particular; the first 165 differ. */
export function ordinaryLine(at: number): string {
  return `${BEGINNINGS[at % BEGINNINGS.length]}${ENDS[at % ENDS.length]}`
}

/** Lines of a run, in their order. */
export interface RecallStep {
  kind: TurnType
  text: string
  /** The number of the fact that is told or asked for; null for a line about nothing. */
  fact: number | null
  asks: boolean
}

/** Turns between two facts that are told. */
const EVERY = 4

/** A story of so many turns that tells all facts at its beginning and asks for each at its end. */
export function recallCourse(turns: number): RecallStep[] {
  const lines = Array.from({ length: turns }, (_, at): RecallStep => {
    const fact = FACTS[at / EVERY]
    return fact
      ? { ...fact.told, fact: at / EVERY, asks: false }
      : { kind: 'do', text: ordinaryLine(at), fact: null, asks: false }
  })
  const questions = FACTS.map(
    ({ asked }, fact): RecallStep => ({ kind: 'say', text: asked, fact, asks: true }),
  )
  return [...lines.slice(0, Math.max(turns - FACTS.length, 0)), ...questions]
}

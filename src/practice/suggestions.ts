import type { Message } from '../domain/model/model-request.ts'
import { MANNERS, type Suggestion } from '../domain/model/suggestions.ts'
import { fillPhrase, type Phrase } from './phrase.ts'
import { readScene } from './scene.ts'
import type { Draw } from './seeded-random.ts'

/** What can be done anywhere, and with a thing or a person of the story. */
const PHRASES: Record<Suggestion['manner'], { anywhere: Phrase[]; thing: Phrase[]; person: Phrase[] }> = {
  careful: {
    anywhere: [
      '{stand still|wait a moment} and listen',
      'look around {slowly|once more} before {moving|going on}',
    ],
    thing: [
      'look {closely|more closely} at $thing',
      'walk {once|all the way} around $thing without touching it',
    ],
    person: ['keep my distance and watch $person', 'ask $person what happened here'],
  },
  bold: {
    anywhere: ['go straight {on|ahead}, whatever is there', 'call out {loudly|into the quiet}'],
    thing: ['take hold of $thing', 'find out what $thing is good for'],
    person: ['tell $person the truth', 'ask $person for help, {here and now|at once}'],
  },
  unexpected: {
    anywhere: ['{hum|whistle} a tune and see who answers', 'turn around and go back the way I came'],
    thing: ['speak to $thing as if it could hear', 'hide $thing where nobody looks'],
    person: ['{smile|bow} and offer $person a trade', 'tell $person a story instead'],
  },
}

/** The practice narrator's suggestions for the story in a prompt, as JSON. */
export function practiceSuggestions(messages: readonly Message[], draw: Draw): string {
  const { things, listener } = readScene(messages)
  const made = MANNERS.map((manner, i) => {
    const { anywhere, thing, person } = PHRASES[manner]
    const named = things[i % Math.max(1, things.length)]
    const choice = draw(3)
    const phrases = choice === 0 && listener ? person : choice < 2 && named ? thing : anywhere
    const slots = { thing: named ?? '', person: listener ?? '' }
    return [manner, fillPhrase(phrases[draw(phrases.length)] ?? '', slots, draw)]
  })
  return JSON.stringify(Object.fromEntries(made))
}

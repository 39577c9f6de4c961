import {
  ABOUT,
  ANSWERS,
  ASKED,
  BARE_TALE_FRAMES,
  DEED_FRAMES,
  ODD_FRAMES,
  QUOTED,
  RESULTS,
  TALE_FRAMES,
  THING_FRAMES,
  UNANSWERED,
  UNQUOTED,
} from '../practice/phrases/player-turns.ts'
import { practiceBlock, withoutBlock } from '../practice/state-block.ts'
import { type Draw, drawFrom, seedOf } from '../practice/seeded-random.ts'
import { freshest, type Phrase, type Slots } from '../practice/phrase.ts'
import type { PlayerTurn } from '../practice/player-turn.ts'
import { readScene, type Scene } from '../practice/scene.ts'
import { OPENINGS, PASSING, SCENERY, SCENERY_OF } from '../practice/phrases/scenery.ts'
import { CALLBACKS, EVENTS, INVITATIONS, LORE_LEADS, PAUSES } from '../practice/phrases/events.ts'
import type { Message } from './model/model-request.ts'

/** A reply is 60 to 110 words long, which is two short paragraphs. */
const LEAST_WORDS = 60
const MOST_WORDS = 110
const ATTEMPTS = 8

/**
 * The practice narrator: stands in for a language model until the player has one, so that the first start tells a
 * story. It follows rules alone: it takes up the player's line and one thing of an earlier turn, shows a story card that
 * has just been called up, and repeats no paragraph that the prompt still shows. The same messages and seed give the
 * same reply; another seed gives another one.
 */
export function practiceReply(messages: readonly Message[], seed: number): string {
  const scene = readScene(messages.map(inProse))
  const draw = drawFrom(seedOf(textsOf(messages), seed))
  const told = new Set(scene.replies.flatMap((reply) => reply.split('\n\n')))
  let paragraphs = tell(scene, draw)
  for (let i = 0; i < ATTEMPTS && paragraphs.some((paragraph) => told.has(paragraph)); i++)
    paragraphs = tell(scene, draw)
  return paragraphs.join('\n\n') + practiceBlock(messages, draw)
}

/** A reply in pieces of a word each, as a model would send it. Joined they are the reply. */
export function practicePieces(reply: string): string[] {
  return reply.match(/\s*\S+|\s+$/g) ?? []
}

// The rule of reporting shows a block too: only those of replies are taken off.
function inProse(message: Message): Message {
  return message.role === 'assistant' ? { ...message, text: withoutBlock(message.text) } : message
}

function* textsOf(messages: readonly Message[]): Generator<string> {
  for (const { role, text } of messages) {
    yield role
    yield text
  }
}

type Part = 'answer' | 'pause' | 'place' | 'callback' | 'event'

/** In what order a reply tells its parts: enough of them that chance tells no paragraph twice. An invitation comes last. */
const PLANS: readonly [Plan, ...Plan[]] = [
  { first: ['answer', 'pause', 'place'], second: ['callback', 'event'] },
  { first: ['answer', 'place', 'pause'], second: ['event', 'callback'] },
  { first: ['answer', 'callback', 'pause'], second: ['place', 'event'] },
  { first: ['place', 'answer', 'pause'], second: ['event', 'callback'] },
  { first: ['answer', 'pause', 'callback'], second: ['event', 'place'] },
  { first: ['place', 'pause', 'answer'], second: ['callback', 'event'] },
  { first: ['pause', 'answer', 'place'], second: ['callback', 'event'] },
  { first: ['callback', 'answer', 'pause'], second: ['event', 'place'] },
]

interface Plan {
  first: readonly Part[]
  second: readonly Part[]
}

/** The paragraphs of a reply: what comes of the player's turn, and what the story does next. */
function tell(scene: Scene, draw: Draw): string[] {
  const teller = tellerOf(scene, draw)
  const plan = PLANS[draw(PLANS.length)] ?? PLANS[0]
  const first = plan.first.flatMap((part) => tellPart(part, scene, teller, draw))
  const second = plan.second.flatMap((part) => tellPart(part, scene, teller, draw))
  const last = teller(INVITATIONS)
  const words = () => wordCount([...first, ...second, last].join(' '))
  while (words() < LEAST_WORDS) (words() % 2 === 0 ? first : second).push(teller(placesOf(scene)))
  while (words() > MOST_WORDS && second.length > 1) second.pop()
  return [first.join(' '), [...second, last].join(' ')]
}

function tellPart(part: Part, scene: Scene, teller: Teller, draw: Draw): string[] {
  switch (part) {
    case 'answer':
      return [
        ...answer(scene, teller, draw),
        ...(scene.lore === null ? [] : [teller(LORE_LEADS, { lore: scene.lore })]),
      ]
    case 'pause':
      return scene.lore === null ? [teller(PAUSES)] : []
    case 'place':
      return scene.lore === null ? [teller(placesOf(scene))] : []
    case 'callback':
      return callback(scene, teller, draw)
    case 'event':
      return [teller(EVENTS)]
  }
}

/** Says the freshest of some phrases and remembers it for the rest of the reply. */
type Teller = (phrases: readonly Phrase[], slots?: Slots) => string

function tellerOf({ replies }: Scene, draw: Draw): Teller {
  const told = replies.join('\n').toLowerCase()
  const openings = replies.slice(-4).reverse()
  const here: string[] = []
  return (phrases, slots = {}) => {
    const sentence = freshest(phrases, slots, { told, openings, here }, draw)
    here.push(sentence)
    return sentence
  }
}

function answer(scene: Scene, teller: Teller, draw: Draw): string[] {
  const { turn } = scene
  if (turn.kind === 'speech') return answerSpeech(turn, scene.listener, teller)
  const result = (phrases: readonly Phrase[]) => freshResult(phrases, scene, draw)
  switch (turn.kind) {
    case 'opening':
      return [teller(OPENINGS, { result: result(RESULTS.any) })]
    case 'silence':
      return [teller(PASSING, { result: result([...RESULTS.any, ...RESULTS.wait]) })]
    case 'odd':
      return [teller(ODD_FRAMES, { result: result(RESULTS.any) })]
    case 'tale':
      return [
        teller(turn.thing === null ? BARE_TALE_FRAMES : TALE_FRAMES, {
          thing: turn.thing ?? '',
          result: result(RESULTS.any),
        }),
      ]
    case 'deed':
      return answerDeed(turn, scene, teller, result(RESULTS[turn.manner]), draw)
  }
}

type Deed = Extract<PlayerTurn, { kind: 'deed' }>
type Speech = Extract<PlayerTurn, { kind: 'speech' }>

function answerDeed(turn: Deed, scene: Scene, teller: Teller, result: string, draw: Draw): string[] {
  const { clause, doing, thing } = turn
  if (clause === null || doing === null)
    return [teller(thing === null ? ODD_FRAMES : THING_FRAMES, { thing: thing ?? '', result })]
  const told = teller(DEED_FRAMES, { clause, doing, result })
  if (turn.manner !== 'talk' || turn.partner === null || draw(3) === 0) return [told]
  return [told, teller(ANSWERS.statement, { who: scene.listener ?? turn.partner })]
}

function answerSpeech({ mood, words, thing }: Speech, listener: string | null, teller: Teller): string[] {
  const quoted = mood === 'question' ? ASKED : QUOTED
  const heard =
    words !== null ? teller(quoted, { words }) : thing !== null ? teller(ABOUT, { thing }) : teller(UNQUOTED)
  return [heard, listener === null ? teller(UNANSWERED) : teller(ANSWERS[mood], { who: listener })]
}

/** A clause that the story has not told yet; when a manner has no more of its own, any will do. */
function freshResult(phrases: readonly Phrase[], { replies }: Scene, draw: Draw): string {
  const said = { told: replies.join('\n').toLowerCase(), openings: [], here: [] }
  return freshest(draw(3) === 0 ? RESULTS.any : phrases, {}, said, draw)
}

function placesOf({ setting }: Scene): readonly Phrase[] {
  return setting === null ? SCENERY : [...SCENERY_OF[setting], ...SCENERY]
}

function callback(scene: Scene, teller: Teller, draw: Draw): string[] {
  const { things, replies } = scene
  const last = (replies.at(-1) ?? '').toLowerCase()
  const rested = things.filter((thing) => !last.includes(thing.toLowerCase()))
  const from = rested.length > 0 ? rested : things
  // The smaller of two draws: what the player and the opening named comes first.
  const thing = from[Math.min(draw(from.length), draw(from.length))]
  return [thing === undefined ? teller(placesOf(scene)) : teller(CALLBACKS, { thing })]
}

function wordCount(text: string): number {
  return text.split(/\s+/).length
}

import { DICE_NOTE, OUTCOME } from '../domain/checks/roll-words.ts'
import type { Message } from '../domain/model/model-request.ts'
import { partIn, REWRITE_TASK } from '../domain/model/rewrite.ts'
import { SUGGESTION_TASK } from '../domain/model/suggestions.ts'
import { sentenceSpans } from '../domain/text/sentence-spans.ts'
import { RECORDER_OPENING } from '../domain/world/recorder/question.ts'
import { freshest, type Phrase, type Slots } from './phrase.ts'
import {
  ACTION_FRAMES,
  BARE_TALE_FRAMES,
  ODD_FRAMES,
  RESULTS,
  TALE_FRAMES,
  THING_FRAMES,
} from './phrases/actions.ts'
import { CALLBACKS, EVENTS, INVITATIONS, LORE_LEADS, PAUSES } from './phrases/events.ts'
import { OPENINGS, PASSING, SCENERY, SCENERY_OF } from './phrases/scenery.ts'
import { ABOUT, ANSWERS, ASKED, QUOTED, UNANSWERED, UNQUOTED } from './phrases/speech.ts'
import type { PlayerTurn } from './player-turn.ts'
import { practiceAnswer } from './recorder-answer.ts'
import { readScene, type Scene } from './scene.ts'
import { type Draw, drawFrom, seedOf } from './seeded-random.ts'
import { practiceSuggestions } from './suggestions.ts'

/** A reply has 60 to 110 words, which makes two short paragraphs. */
const MIN_WORDS = 60
const MAX_WORDS = 110
const MAX_ATTEMPTS = 8

/**
 * The practice narrator stands in for a language model until the player has one, so that the first start already tells a
 * story. It only follows rules: it picks up the player's line and something from an earlier turn, mentions a story card
 * that was just triggered, and repeats no paragraph in the prompt. The same messages and seed always give the same reply.
 */
export function practiceReply(messages: readonly Message[], seed: number, schema?: object): string {
  const draw = drawFrom(seedOf(textsOf(messages), seed))
  const last = messages.at(-1)?.text ?? ''
  const before = () => messages.slice(0, -1)
  if (last.startsWith(RECORDER_OPENING)) return practiceAnswer(schema ?? {}, draw)
  if (last.includes(SUGGESTION_TASK)) return practiceSuggestions(before(), draw)
  if (last.includes(REWRITE_TASK)) return rewrittenPart(last, readScene(before()), draw)
  const scene = readScene(messages)
  const earlier = new Set(scene.replies.flatMap((reply) => reply.split('\n\n')))
  let paragraphs = makeParagraphs(scene, draw)
  for (let i = 0; i < MAX_ATTEMPTS && paragraphs.some((paragraph) => earlier.has(paragraph)); i++)
    paragraphs = makeParagraphs(scene, draw)
  return [...decided(messages), ...paragraphs].join('\n\n')
}

/** As many new sentences as a part of a passage has. */
function rewrittenPart(task: string, scene: Scene, draw: Draw): string {
  const narrate = narratorFor(scene, draw)
  const sentences = sentenceSpans(partIn(task)).map((_, i) =>
    narrate(i % 2 === 0 ? sceneryFor(scene) : PAUSES),
  )
  return sentences.join(' ')
}

/** What the dice have decided about the player's line, as the prompt tells it. */
function decided(messages: readonly Message[]): string[] {
  const [, note = ''] = messages.at(-1)?.text.split(DICE_NOTE) ?? []
  const outcome = note.split(OUTCOME)[1]?.split('.')[0]
  return outcome === undefined ? [] : [`It is decided: ${outcome}.`]
}

/** Splits a reply into words with their whitespace, as a model would stream it. */
export function practiceChunks(reply: string): string[] {
  return reply.match(/\s*\S+|\s+$/g) ?? []
}

function* textsOf(messages: readonly Message[]): Generator<string> {
  for (const { role, text } of messages) {
    yield role
    yield text
  }
}

type Part = 'answer' | 'pause' | 'place' | 'callback' | 'event'

/** The order of the parts of a reply. There are enough plans that paragraphs rarely repeat. An invitation comes last. */
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

/** The paragraphs of a reply: the result of the player's turn, and what happens next. */
function makeParagraphs(scene: Scene, draw: Draw): string[] {
  const narrate = narratorFor(scene, draw)
  const plan = PLANS[draw(PLANS.length)] ?? PLANS[0]
  const first = plan.first.flatMap((part) => makePart(part, scene, narrate, draw))
  const second = plan.second.flatMap((part) => makePart(part, scene, narrate, draw))
  const last = narrate(INVITATIONS)
  const words = () => [...first, ...second, last].join(' ').split(/\s+/).length
  while (words() < MIN_WORDS) (words() % 2 === 0 ? first : second).push(narrate(sceneryFor(scene)))
  while (words() > MAX_WORDS && second.length > 1) second.pop()
  return [first.join(' '), [...second, last].join(' ')]
}

function makePart(part: Part, scene: Scene, narrate: Narrate, draw: Draw): string[] {
  switch (part) {
    case 'answer':
      return [
        ...answer(scene, narrate, draw),
        ...(scene.lore === null ? [] : [narrate(LORE_LEADS, { lore: scene.lore })]),
      ]
    case 'pause':
      return scene.lore === null ? [narrate(PAUSES)] : []
    case 'place':
      return scene.lore === null ? [narrate(sceneryFor(scene))] : []
    case 'callback':
      return callback(scene, narrate, draw)
    case 'event':
      return [narrate(EVENTS)]
  }
}

/** Picks the freshest of some phrases and remembers it for the rest of the reply. */
type Narrate = (phrases: readonly Phrase[], slots?: Slots) => string

function narratorFor({ replies }: Scene, draw: Draw): Narrate {
  const earlier = replies.join('\n').toLowerCase()
  const openings = replies.slice(-4).reverse()
  const sentences: string[] = []
  return (phrases, slots = {}) => {
    const sentence = freshest(phrases, slots, { earlier, openings, sentences }, draw)
    sentences.push(sentence)
    return sentence
  }
}

function answer(scene: Scene, narrate: Narrate, draw: Draw): string[] {
  const { turn } = scene
  if (turn.kind === 'speech') return answerSpeech(turn, scene.listener, narrate)
  const result = (phrases: readonly Phrase[]) => freshResult(phrases, scene, draw)
  switch (turn.kind) {
    case 'opening':
      return [narrate(OPENINGS, { result: result(RESULTS.any) })]
    case 'silence':
      return [narrate(PASSING, { result: result([...RESULTS.any, ...RESULTS.wait]) })]
    case 'odd':
      return [narrate(ODD_FRAMES, { result: result(RESULTS.any) })]
    case 'tale':
      return [
        narrate(turn.thing === null ? BARE_TALE_FRAMES : TALE_FRAMES, {
          thing: turn.thing ?? '',
          result: result(RESULTS.any),
        }),
      ]
    case 'action':
      return answerAction(turn, scene, narrate, draw)
  }
}

type ActionTurn = Extract<PlayerTurn, { kind: 'action' }>
type Speech = Extract<PlayerTurn, { kind: 'speech' }>

function answerAction(turn: ActionTurn, scene: Scene, narrate: Narrate, draw: Draw): string[] {
  const { clause, doing, thing } = turn
  const result = freshResult(RESULTS[turn.manner], scene, draw)
  if (clause === null || doing === null)
    return [narrate(thing === null ? ODD_FRAMES : THING_FRAMES, { thing: thing ?? '', result })]
  const action = narrate(ACTION_FRAMES, { clause, doing, result })
  if (turn.manner !== 'talk' || turn.partner === null || draw(3) === 0) return [action]
  return [action, narrate(ANSWERS.statement, { who: scene.listener ?? turn.partner })]
}

function answerSpeech({ mood, words, thing }: Speech, listener: string | null, narrate: Narrate): string[] {
  const quoted = mood === 'question' ? ASKED : QUOTED
  const speech =
    words !== null
      ? narrate(quoted, { words })
      : thing !== null
        ? narrate(ABOUT, { thing })
        : narrate(UNQUOTED)
  return [speech, listener === null ? narrate(UNANSWERED) : narrate(ANSWERS[mood], { who: listener })]
}

/** A clause that the story has not used yet. */
function freshResult(phrases: readonly Phrase[], { replies }: Scene, draw: Draw): string {
  const used = { earlier: replies.join('\n').toLowerCase(), openings: [], sentences: [] }
  return freshest(draw(3) === 0 ? RESULTS.any : phrases, {}, used, draw)
}

function sceneryFor({ setting }: Scene): readonly Phrase[] {
  return setting === null ? SCENERY : [...SCENERY_OF[setting], ...SCENERY]
}

function callback(scene: Scene, narrate: Narrate, draw: Draw): string[] {
  const { things, replies } = scene
  const last = (replies.at(-1) ?? '').toLowerCase()
  const notRecent = things.filter((thing) => !last.includes(thing.toLowerCase()))
  const choices = notRecent.length > 0 ? notRecent : things
  // The smaller of two draws prefers the first things, which the player or the opening mentioned.
  const thing = choices[Math.min(draw(choices.length), draw(choices.length))]
  return [thing === undefined ? narrate(sceneryFor(scene)) : narrate(CALLBACKS, { thing })]
}

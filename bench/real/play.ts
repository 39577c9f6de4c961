import type { Step, StoryName, TurnType } from './course.ts'
import type { Exchange } from './exchange.ts'

/** One step of the course with what came of it. Times are milliseconds. */
export interface Play {
  story: StoryName
  kind: Step['kind']
  /** What the player wrote; '' for other steps. */
  line: string
  began: number
  ended: number
  /** From the request to the first words that the player sees; null if there were none. */
  firstWords: number | null
  /** What streamed past the player. */
  streamed: string
  /** What is stored as the passage. */
  shown: string
  error: { code: string; detail: string } | null
  /** Why the prompt begins where it begins, by the service: "kept" means that it only grew. */
  epoch: string
  /** Tokens of the prompt and of the reply as the service stored them. */
  stored: { prompt_tokens: number | null; completion_tokens: number | null; counted: number | null } | null
  /** The first request for the passage, which reads what is new. */
  first: Exchange | null
  /** The last one: a reply that loops is asked for once more. */
  request: Exchange | null
  /** Tokens of the newest message of the player with its notes, by the server's tokenizer. */
  newTokens: number | null
}

/** Kinds of steps in which the model writes a passage. */
const TURNS = new Set<string>(['do', 'say', 'story', 'continue', 'retry'])

export function isTurn({ kind }: Pick<Play, 'kind'>): boolean {
  return TURNS.has(kind)
}

/** A turn that adds to the story, so that its prompt grows only at its end. */
export function isPlain({ kind }: Pick<Play, 'kind'>): boolean {
  return isTurn({ kind }) && kind !== 'retry'
}

export function isTyped(step: Step): step is Step & { kind: TurnType; text: string } {
  return isPlain(step)
}

import type { ServerKind } from '../../domain/model/server-kind.ts'
import type { Message, Telling } from '../../domain/model/model-request.ts'
import type { Ask } from '../transport.ts'

/** Where a page of a server lies: beside the API, at the root of its origin, or under the API's own base. */
export interface Place {
  path: string
  atRoot: boolean
}

/** What a page answered, when it did. Headers are left out: a proxy adds its own, and they prove nothing. */
export interface PageAnswer {
  status: number
  text: string
  /** The text as JSON; undefined when it is none. */
  json: unknown
}

/** A page by which a server is recognised. */
export interface Sign extends Place {
  /** The words on the page that name this server, as a player can find them there; null when it is another's. */
  evidence: (answer: PageAnswer) => string | null
}

/** A page that tells the loaded window of a model, in tokens. What a model was trained for is only a ceiling. */
export interface WindowPage extends Place {
  read: (json: unknown, model: string) => unknown
}

/** A route that counts a prompt with the model's own vocabulary. */
export interface Counting extends Place {
  body: (model: string, messages: readonly Message[]) => object
  /** Tokens, or anything else when the answer is no count. */
  read: (json: unknown) => unknown
  /** Whether what the chat's template puts around each message is counted too. */
  countsTemplate: boolean
}

/** The ways of one kind of model server. Source: the page that each file names. */
export interface Server {
  kind: ServerKind
  /** As its makers write it. */
  name: string
  /** Where it listens unless it is told otherwise. */
  ports: readonly number[]
  /** The surest first. */
  signs: readonly Sign[]
  /** Whose signs it shows too, for the sake of their clients: beside its own they say nothing. */
  imitates: readonly ServerKind[]
  windows: readonly WindowPage[]
  /** The best first; none where it does not count. */
  counting: readonly Counting[]
  /** Fields of a request beyond the common five that it is known to take, for what a telling asks. */
  fields: (telling: Telling) => object
  /** Fields that bind a reply to a JSON Schema; null where it cannot be bound. */
  bound: ((schema: object) => object) | null
  /** What ends a reply that goes on after its connection is closed; null where closing is enough. */
  abort: (Ask & { atRoot: boolean }) | null
  /** The API of its own that is used where the common one cannot say enough. */
  dialect: 'ollama' | null
  embeddings: 'yes' | 'when started for it' | 'no' | 'unknown'
  /** What in a refusal shows that it is this server, and what to change there so that it asks for no key. */
  key: { sign: RegExp; remedy: string } | null
  /** How the player gives a model a larger window there. */
  largerWindow: string
}

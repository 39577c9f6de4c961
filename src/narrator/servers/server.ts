import type { Message, ModelRequest } from '../../domain/model/model-request.ts'
import type { ServerKind } from '../../domain/model/server-kind.ts'
import type { EndpointRequest } from '../connect/endpoint-connection.ts'

/** A path under the base address of the API, or at the root of the server. */
export interface ServerPath {
  path: string
  atRoot?: boolean
}

/** Headers are left out: proxies add their own, so they prove nothing. */
export interface PageResponse {
  status: number
  text: string
  /** Undefined when the text is not JSON. */
  json: unknown
}

/** A page by which a server is recognised. */
export interface Fingerprint extends ServerPath {
  /** What on the page identifies this server, as the player can see it there; null for any other server. */
  evidence: (response: PageResponse) => string | null
}

/** A page that tells the context window a model is loaded with. The window it was trained for is only a maximum. */
export interface WindowPage extends ServerPath {
  /** Whether each model has such a page, and the query names it. */
  isOfModel?: boolean
  /** Tokens, or any other value when the page does not tell. */
  read: (json: unknown, model: string) => unknown
}

/** A route that counts the tokens of a prompt. */
export interface TokenCounter extends ServerPath {
  body: (model: string, messages: readonly Message[]) => object
  /** Tokens, or any other value when the response has none. */
  read: (json: unknown) => unknown
  /** Whether the count includes what the chat template adds to each message. */
  countsTemplate: boolean
}

/** How one kind of model server differs from others. Each file names its source. */
export interface Server {
  kind: ServerKind
  /** In its makers' spelling. */
  name: string
  /** Default ports. */
  ports: readonly number[]
  /** The most reliable first. */
  fingerprints: readonly Fingerprint[]
  /** Servers whose fingerprints it also shows, for compatibility. */
  imitates?: readonly ServerKind[]
  windowPages?: readonly WindowPage[]
  /** The most accurate first; none when it cannot count. */
  tokenCounters?: readonly TokenCounter[]
  /** Request fields beyond the five common ones. */
  fields: (request: ModelRequest) => object
  /** Request fields that force a reply to match a JSON Schema; null when it cannot do that. */
  schemaFields: ((schema: object) => object) | null
  /** Request fields with which it continues the last message of the assistant; left out where it cannot. */
  continueFields?: object
  /** Stops a reply that goes on after its connection is closed. */
  abort?: EndpointRequest
  /** The native API, used where the common one lacks a field. */
  nativeApi?: 'ollama' | null
  /** Whether it keeps what it has read, and reads the next prompt from the first difference on. */
  keepsPrefix: boolean
  /** How to recognise this server in an error response, and how to turn off its API key. */
  key?: { pattern: RegExp; remedy: string }
  /** How the player gets a larger context window there, to continue a sentence after a comma. */
  largerWindow: string
}

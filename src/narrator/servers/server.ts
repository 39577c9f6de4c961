import type { Message, ModelRequest } from '../../domain/model/model-request.ts'
import type { ServerKind } from '../../domain/model/model-server.ts'
import type { EndpointRequest } from '../connect/endpoint-connection.ts'

export interface ServerPath {
  path: string
  atRoot?: boolean
}

/** Without headers, which prove nothing: proxies add their own. */
export interface PageResponse {
  status: number
  text: string
  json: unknown
}

export interface Fingerprint extends ServerPath {
  /** The identifying text on the page; null for other servers. */
  evidence: (response: PageResponse) => string | null
}

/** A page that reports the context window of the loaded model, not the maximum it was trained for. */
export interface WindowPage extends ServerPath {
  /** One page for each model, which the query names. */
  isOfModel?: boolean
  /** Tokens, or any other value if unknown. */
  read: (json: unknown, model: string) => unknown
}

export interface TokenCounter extends ServerPath {
  body: (model: string, messages: readonly Message[]) => object
  /** Tokens, or any other value if unknown. */
  read: (json: unknown) => unknown
  /** The count includes the chat template's own tokens. */
  countsTemplate: boolean
}

/** One kind of model server. Each file names its source. */
export interface Server {
  kind: ServerKind
  /** Spelled as its makers do. */
  name: string
  ports: readonly number[]
  /** Most reliable first. */
  fingerprints: readonly Fingerprint[]
  /** Servers whose fingerprints it also has, for compatibility. */
  imitates?: readonly ServerKind[]
  windowPages?: readonly WindowPage[]
  /** Most accurate first; none if it cannot count. */
  tokenCounters?: readonly TokenCounter[]
  fields: (request: ModelRequest) => object
  /** Request fields that force a reply to match a JSON Schema; null if impossible. */
  schemaFields: ((schema: object) => object) | null
  /** Request fields that continue the last assistant message; omitted if impossible. */
  continueFields?: object
  abort?: EndpointRequest
  /** Native API, used where the common one lacks a field. */
  nativeApi?: 'ollama' | null
  /** Caches a prompt, and reads the next from the first difference on. */
  keepsPrefix: boolean
  /** Pattern of its error responses, and the way to turn off its API key. */
  key?: { pattern: RegExp; remedy: string }
  /** Way to get a larger context window, as a clause after a comma. */
  largerWindow: string
}

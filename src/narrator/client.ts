import type { Endpoint, Message, ModelRequest, ReplyPart } from '../domain/model/model-request.ts'
import type { FoundServer, ModelInfo } from '../domain/model/model-server.ts'
import type { PrivacyReport } from '../domain/model/privacy-report.ts'
import type { EmbeddingModel } from '../domain/recall/embedded-text.ts'
import { EndpointConnection, privacyReport } from './connect/endpoint-connection.ts'
import { findServers, PORTS } from './discover/find-servers.ts'
import { listModels } from './discover/list-models.ts'
import { findWindow, type Recognised, recognise, type WindowFound } from './discover/probe.ts'
import { type RepairedAddress, repairAddress, withScheme } from './discover/repair-address.ts'
import type { NarratorOptions } from './options.ts'
import { countTokens } from './request/count-tokens.ts'
import { embed } from './request/embed.ts'
import { ModelCall } from './request/model-call.ts'
import { serverOf } from './servers/servers.ts'

export type { NarratorOptions, Recognised, RepairedAddress }

/** Client for model servers. Every request is checked against the address policy first. */
export interface Narrator {
  /** Throws endpoint_refused if stories may not be sent to a pasted address, or its name does not resolve. */
  check(pasted: string): Promise<void>
  privacyReport(url: string, embeddingUrl: string): PrivacyReport
  /** Streams a reply; the last part is `end`. Throws provider_error, timeout, or the signal's reason. */
  generate(endpoint: Endpoint, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ReplyPart>
  /**
   * Models of an endpoint; none if the response is unknown. Throws endpoint_refused, endpoint_unreachable,
   * endpoint_slow.
   */
  listModels(endpoint: Endpoint, signal?: AbortSignal): Promise<ModelInfo[]>
  /** Embeds texts as one vector each. Throws provider_error, endpoint_refused, timeout, or the signal's reason. */
  embed(
    endpoint: Endpoint,
    model: EmbeddingModel,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<Float32Array[]>
  /** Context window of the loaded model; null if the server does not report it. Throws only the signal's reason. */
  findWindow(endpoint: Endpoint, model: string, signal: AbortSignal): Promise<WindowFound | null>
  /**
   * Counts tokens with the model's tokenizer; null if the server cannot or is slow. Throws only the signal's reason.
   */
  countTokens(
    endpoint: Endpoint,
    model: string,
    messages: readonly Message[],
    signal: AbortSignal,
  ): Promise<number | null>
  /** Recognises the server software, with evidence. Throws only the signal's reason. */
  recognise(url: string, signal: AbortSignal): Promise<Recognised>
  /** Finds model servers on this machine, except this service. Throws only the signal's reason. */
  findServers(ownPort: number, signal: AbortSignal): Promise<FoundServer[]>
  /** Corrects a pasted address. Contacts only its host. Throws endpoint_refused, or the signal's reason. */
  repairAddress(url: string, signal: AbortSignal): Promise<RepairedAddress>
}

export function createNarrator(options: NarratorOptions = {}): Narrator {
  const connection = new EndpointConnection(options)
  return {
    check: async (pasted) => void (await connection.check(withScheme(pasted.trim()))),
    privacyReport: (url, embeddingUrl) => privacyReport(connection, url, embeddingUrl),
    generate: (endpoint, request, signal) =>
      new ModelCall({ connection, endpoint, signal }, serverOf(endpoint.server), request, options).parts(),
    embed: (endpoint, model, texts, signal) => embed({ connection, endpoint, signal }, model, texts),
    findWindow: ({ url, server }, model, signal) =>
      findWindow({ connection, url, seconds: 2, signal }, server, model),
    countTokens: (endpoint, model, messages, signal) =>
      countTokens({ connection, endpoint, signal }, model, messages, options.countTimeout ?? 0.3),
    recognise: (url, signal) =>
      recognise({ connection, url, seconds: options.recogniseTimeout ?? 2, signal }),
    findServers: (ownPort, signal) => {
      const ports = (options.ports ?? PORTS).filter((port) => port !== ownPort)
      return findServers(connection, ports, options.findTimeout ?? 2, signal)
    },
    repairAddress: (url, signal) =>
      repairAddress(
        { connection, url, seconds: options.repairTimeout ?? 2, signal },
        options.isContained ?? (() => false),
      ),
    listModels: (endpoint, signal) => listModels(connection, endpoint, options.listTimeout ?? 10, signal),
  }
}

import type { Endpoint, Message, Piece, Telling } from '../domain/model/model-request.ts'
import { Connections } from './connections.ts'
import { count } from './count.ts'
import { embed } from './embed.ts'
import { type FoundServer, findServers, PORTS } from './find-servers.ts'
import { listModels } from './list-models.ts'
import type { ModelInfo } from './discover/model-list.ts'
import { type Recognised, recognise } from './recognise.ts'
import { type Repaired, repair } from './repair.ts'
import { serverOf } from './servers/servers.ts'
import { Call } from './tell.ts'
import { type Whereabouts, whereabouts } from './whereabouts.ts'
import { findWindow, type WindowFound } from './window.ts'
import { type NarratorOptions, Wire } from './wire.ts'

export type { FoundServer, ModelInfo, NarratorOptions, Recognised, Repaired }

/** The model endpoint, as the rest of the service knows it. Each request is judged first (specification 7.3). */
export interface Narrator {
  /** Throws endpoint_refused when stories may not be sent there, or the name does not resolve. */
  judge(url: string): Promise<void>
  /** Where stories told at an address go, as it was judged last; and every request since the start. */
  whereabouts(url: string): Whereabouts
  /** Pieces of a reply as they come, the last one `end`. Throws provider_error, timeout, or the signal's reason. */
  tell(endpoint: Endpoint, telling: Telling, signal: AbortSignal): AsyncGenerator<Piece>
  /** The models that the endpoint offers, none for an odd answer. Throws endpoint_refused, endpoint_unreachable, endpoint_slow. */
  models(endpoint: Endpoint, signal?: AbortSignal): Promise<ModelInfo[]>
  /** One vector for each text. Throws provider_error, endpoint_refused, timeout, or the signal's reason. */
  embed(
    endpoint: Endpoint,
    model: string,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<Float32Array[]>
  /** The window that a model really has; null when its server does not tell. Throws the signal's reason alone. */
  window(endpoint: Endpoint, model: string, signal: AbortSignal): Promise<WindowFound | null>
  /** Tokens of a prompt by the model's own vocabulary; null when its server does not count, or is slow. Throws the signal's reason alone. */
  count(
    endpoint: Endpoint,
    model: string,
    messages: readonly Message[],
    signal: AbortSignal,
  ): Promise<number | null>
  /** Which server answers at an address, and the lines that say so. Throws the signal's reason alone. */
  recognise(url: string, signal: AbortSignal): Promise<Recognised>
  /** The model servers on this machine, but for our own service. Throws the signal's reason alone. */
  find(ownPort: number, signal: AbortSignal): Promise<FoundServer[]>
  /** An address as it should be saved. Asks the pasted host alone. Throws endpoint_refused, or the signal's reason. */
  repair(url: string, signal: AbortSignal): Promise<Repaired>
}

/** Makes the one client of the service. */
export function createNarrator(options: NarratorOptions = {}): Narrator {
  const connections = new Connections()
  const wire = new Wire(options, connections)
  // A port of this machine answers at once or not at all.
  const near = new Wire({ ...options, connectTimeout: 0.3 }, connections)
  const missing = new Set<string>()
  return {
    judge: async (url) => void (await wire.judge(url)),
    whereabouts: (url) => whereabouts(wire, url),
    tell: (endpoint, telling, signal) =>
      new Call(wire, endpoint, serverOf(endpoint.server), telling, signal, options).pieces(),
    embed: (endpoint, model, texts, signal) => embed(wire, endpoint, model, texts, signal),
    window: (endpoint, model, signal) =>
      findWindow(wire, endpoint, model, options.windowTimeout ?? 2, signal),
    count: (endpoint, model, messages, signal) =>
      count(wire, missing, endpoint, model, messages, (options.countTimeout ?? 0.3) * 1_000, signal),
    recognise: (url, signal) => recognise(wire, { url }, options.recogniseTimeout ?? 2, signal),
    find: (ownPort, signal) => {
      const ports = (options.ports ?? PORTS).filter((port) => port !== ownPort)
      return findServers(near, ports, options.findTimeout ?? 2, signal)
    },
    repair: (url, signal) =>
      repair(wire, url, options.repairTimeout ?? 2, options.isContained ?? (() => false), signal),
    models: (endpoint, signal) => listModels(wire, endpoint, options.listTimeout ?? 10, signal),
  }
}

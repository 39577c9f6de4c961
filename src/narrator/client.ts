import type { Endpoint, Piece, Telling } from '../domain/telling.ts'
import { embed } from './embed.ts'
import { listModels } from './list-models.ts'
import type { ModelInfo } from './model-list.ts'
import { serverOf } from './servers/servers.ts'
import { Call } from './tell.ts'
import { findWindow, type WindowFound } from './window.ts'
import { type NarratorOptions, Wire } from './wire.ts'

export type { ModelInfo, NarratorOptions }

/** The model endpoint, as the rest of the service knows it. Each request is judged first (specification 7.3). */
export interface Narrator {
  /** Throws endpoint_refused when stories may not be sent there, or the name does not resolve. */
  judge(url: string): Promise<void>
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
}

/** Makes the one client of the service. */
export function createNarrator(options: NarratorOptions = {}): Narrator {
  const wire = new Wire(options)
  return {
    judge: async (url) => void (await wire.judge(url)),
    tell: (endpoint, telling, signal) =>
      new Call(wire, endpoint, serverOf(endpoint.server), telling, signal, options).pieces(),
    embed: (endpoint, model, texts, signal) => embed(wire, endpoint, model, texts, signal),
    window: (endpoint, model, signal) =>
      findWindow(wire, endpoint, model, options.windowTimeout ?? 2, signal),
    models: (endpoint, signal) => listModels(wire, endpoint, options.listTimeout ?? 10, signal),
  }
}

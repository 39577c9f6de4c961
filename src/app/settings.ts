import type { Reader } from '../db/database.ts'
import { findFacts } from '../db/tables/endpoint-facts.ts'
import { getSettings, updateSettings } from '../db/tables/settings.ts'
import { StoryError } from '../domain/errors.ts'
import type { ModelFacts } from '../domain/prompt/measure.ts'
import { type Settings, type SettingsView, settingsView } from '../domain/settings.ts'
import type { Endpoint } from '../domain/model/model-request.ts'
import { traceOf } from '../domain/trace.ts'
import { nameOf, takenBy } from '../narrator/about-server.ts'
import type { FoundServer, ModelInfo, Repaired } from '../narrator/client.ts'
import type { Deps } from './deps.ts'

export type { FoundServer }

/**
 * Changes the given settings, all or none. An address is judged whenever it is named (specification 7.3). Throws
 * endpoint_refused.
 */
export async function changeSettings(deps: Deps, given: Partial<Settings>): Promise<SettingsView> {
  const changed =
    given.endpoint_url === undefined ? given : { ...given, endpoint_url: given.endpoint_url.trim() }
  if (changed.endpoint_url) await deps.narrator.judge(changed.endpoint_url)
  deps.library.write((tx) => updateSettings(tx, changed))
  deps.idle.wake()
  return settingsView(getSettings(deps.library.reader))
}

/** The models that the endpoint offers. Throws endpoint_refused, endpoint_unreachable, endpoint_slow. */
export function listModels(deps: Deps, tried: Partial<Settings> = {}): Promise<ModelInfo[]> {
  return deps.narrator.models(endpointOf(deps, { ...getSettings(deps.library.reader), ...tried }))
}

/** Whether an endpoint answers, and with which models; or why not, in words. `advice` when the address can be mended. */
export type Tested = ({ ok: true; models: string[] } | { ok: false; detail: string; code: string }) & {
  advice?: string
}

/** The model servers of this machine. Asks its own addresses alone, and only when the player wants it. */
export function findServers(deps: Deps, signal: AbortSignal): Promise<FoundServer[]> {
  return deps.narrator.find(Number(new URL(deps.practiceUrl()).port), signal)
}

/** An address as it was meant: routes taken off, the API's own path added, the scheme that answers. */
export function repaired(deps: Deps, url: string, signal: AbortSignal): Promise<Repaired> {
  if (url.trim() === '') return Promise.resolve({ url: '', changed: null, advice: null })
  return deps.narrator.repair(url, signal)
}

/** What a page of the settings says of the model that is chosen. */
export function modelWords(reader: Reader): {
  facts: ModelFacts
  serverName: string
  takes: ReadonlySet<string> | null
} {
  const { endpoint_url, model } = getSettings(reader)
  const facts = findFacts(reader, endpoint_url, model)
  return {
    facts,
    serverName: nameOf(facts.server),
    takes: facts.server === 'unknown' ? null : takenBy(facts.server),
  }
}

/** Tries the endpoint of the settings, or another one before it is saved. Changes nothing and never throws. */
export async function testEndpoint(
  deps: Deps,
  tried: Partial<Settings> = {},
  signal = new AbortController().signal,
): Promise<Tested> {
  try {
    const { url, changed, advice } = await repaired(deps, tried.endpoint_url ?? '', signal)
    const models = await listModels(deps, { ...tried, ...(url === '' ? {} : { endpoint_url: url }) })
    const said = [changed, advice].filter(Boolean).join(' ')
    return { ok: true, models: models.map(({ id }) => id), ...(said === '' ? {} : { advice: said }) }
  } catch (error) {
    if (error instanceof StoryError) return { ok: false, detail: error.message, code: error.code }
    console.error('A test of the endpoint failed:', traceOf(error))
    return { ok: false, detail: 'The test itself failed. Look at the log of Inglenook.', code: 'internal' }
  }
}

function endpointOf(deps: Deps, { endpoint_url, read_timeout_seconds }: Settings): Endpoint {
  return { url: endpoint_url.trim() || deps.practiceUrl(), read_timeout_seconds }
}

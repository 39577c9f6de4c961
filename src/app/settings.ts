import { getSettings, updateSettings } from '../db/settings.ts'
import { StoryError } from '../domain/errors.ts'
import { type Settings, type SettingsView, settingsView } from '../domain/settings.ts'
import type { Endpoint } from '../domain/telling.ts'
import type { ModelInfo } from '../narrator/client.ts'
import type { Deps } from './deps.ts'

/**
 * Changes the given settings, all or none. An address is judged whenever it is named (specification 7.3). Throws
 * endpoint_refused.
 */
export async function changeSettings(deps: Deps, given: Partial<Settings>): Promise<SettingsView> {
  const changed =
    given.endpoint_url === undefined ? given : { ...given, endpoint_url: given.endpoint_url.trim() }
  if (changed.endpoint_url) await deps.narrator.judge(changed.endpoint_url)
  deps.library.write((tx) => updateSettings(tx, changed))
  return settingsView(getSettings(deps.library.reader))
}

/** The models that the endpoint offers. Throws endpoint_refused, endpoint_unreachable, endpoint_slow. */
export function listModels(deps: Deps, tried: Partial<Settings> = {}): Promise<ModelInfo[]> {
  return deps.narrator.models(endpointOf(deps, { ...getSettings(deps.library.reader), ...tried }))
}

/** Whether an endpoint answers, and with which models; or why not, in words. */
export type Tested = { ok: true; models: string[] } | { ok: false; detail: string; code: string }

/** Tries the endpoint of the settings, or another one before it is saved. Changes nothing and never throws. */
export async function testEndpoint(deps: Deps, tried: Partial<Settings> = {}): Promise<Tested> {
  try {
    const models = await listModels(deps, tried)
    return { ok: true, models: models.map(({ id }) => id) }
  } catch (error) {
    if (error instanceof StoryError) return { ok: false, detail: error.message, code: error.code }
    console.error('A test of the endpoint failed:', error)
    return { ok: false, detail: 'The test itself failed. Look at the log of Inglenook.', code: 'internal' }
  }
}

function endpointOf(deps: Deps, { endpoint_url, read_timeout_seconds }: Settings): Endpoint {
  return { url: endpoint_url.trim() || deps.practiceUrl(), read_timeout_seconds }
}

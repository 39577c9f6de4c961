import { type Static, Type } from '@sinclair/typebox'
import type { Reader } from '../../db/database.ts'
import { findFacts } from '../../db/tables/endpoint-facts.ts'
import { getSavedSettings, getSettings } from '../../db/tables/settings.ts'
import type { Endpoint } from '../../domain/model/model-request.ts'
import type { FoundServer, ModelInfo } from '../../domain/model/model-server.ts'
import type { PrivacyReport } from '../../domain/model/privacy-report.ts'
import type { ModelFacts } from '../../domain/prompt/model-facts.ts'
import type { Settings } from '../../domain/settings.ts'
import type { RepairedAddress } from '../../narrator/client.ts'
import { serverOf, supportedSettings } from '../../narrator/servers/servers.ts'
import type { Deps } from '../deps.ts'
import { embedderIn } from './embedder.ts'
import { FailedTest, failedTest } from './failed-test.ts'

/** Throws endpoint_refused, endpoint_unreachable, endpoint_slow. */
export function listModels(deps: Deps, tried: Partial<Settings> = {}): Promise<ModelInfo[]> {
  return deps.narrator.listModels(endpointOf(deps, { ...getSavedSettings(deps.library.reader), ...tried }))
}

/** The models of an endpoint that answers, or the failure. `advice` says how the address was or can be fixed. */
export const ConnectionTest = Type.Union([
  Type.Object({
    ok: Type.Literal(true),
    models: Type.Array(Type.String()),
    advice: Type.Optional(Type.String({ description: 'How the address was corrected' })),
  }),
  FailedTest,
])

export type ConnectionTest = Static<typeof ConnectionTest>

/** The model servers on this machine. Asks only its own addresses, and only when the player requests it. */
export function findServers(deps: Deps, signal: AbortSignal): Promise<FoundServer[]> {
  deps.idle.learnAgain()
  return deps.narrator.findServers(Number(new URL(deps.practiceUrl()).port), signal)
}

/** The address that was meant: without a route, with the API's own path and the scheme that answers. */
export function repairedAddress(deps: Deps, url: string, signal: AbortSignal): Promise<RepairedAddress> {
  if (url.trim() === '') return Promise.resolve({ url: '', changed: null, advice: null })
  return deps.narrator.repairAddress(url, signal)
}

export function modelSummary(reader: Reader): {
  facts: ModelFacts
  serverName: string
  /** The optional settings that the server supports; null for an unknown server. */
  takes: ReadonlySet<string> | null
} {
  const { endpoint_url, model } = getSettings(reader)
  const facts = findFacts(reader, endpoint_url, model)
  return {
    facts,
    serverName: serverOf(facts.server).name,
    takes: facts.server === 'unknown' ? null : supportedSettings(facts.server),
  }
}

/** Tests the endpoint in the settings, or `tried` before it is saved. Changes nothing and never throws. */
export async function testEndpoint(
  deps: Deps,
  tried: Partial<Settings> = {},
  signal = new AbortController().signal,
): Promise<ConnectionTest> {
  try {
    const { url, changed, advice } = await repairedAddress(deps, tried.endpoint_url ?? '', signal)
    const models = await listModels(deps, { ...tried, ...(url === '' ? {} : { endpoint_url: url }) })
    deps.idle.learnAgain()
    const allAdvice = [changed, advice].filter(Boolean).join(' ')
    return {
      ok: true,
      models: models.map(({ id }) => id),
      ...(allAdvice === '' ? {} : { advice: allAdvice }),
    }
  } catch (error) {
    return failedTest(error)
  }
}

function endpointOf(deps: Deps, { endpoint_url, read_timeout_seconds }: Settings): Endpoint {
  return { url: endpoint_url.trim() || deps.practiceUrl(), read_timeout_seconds }
}

/** The addresses that get stories with the current settings, and those since the start. Makes no request. */
export function privacyReportOf(deps: Deps): PrivacyReport {
  const settings = getSettings(deps.library.reader)
  const url = settings.endpoint_url || deps.practiceUrl()
  const embeddingUrl = embedderIn(settings)?.endpoint.url ?? url
  return deps.narrator.privacyReport(url, embeddingUrl === url ? '' : embeddingUrl)
}

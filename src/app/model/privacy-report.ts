import { getSettings } from '../../db/tables/settings.ts'
import type { PrivacyReport } from '../../domain/model/privacy-report.ts'
import type { Deps } from '../deps.ts'
import { embedderIn } from './embedder.ts'

/** Where stories are sent with the current settings, and where they were sent since the start. Makes no request. */
export function privacyReportOf(deps: Deps): PrivacyReport {
  const settings = getSettings(deps.library.reader)
  const url = settings.endpoint_url || deps.practiceUrl()
  const embeddingUrl = embedderIn(settings)?.endpoint.url ?? url
  return deps.narrator.privacyReport(url, embeddingUrl === url ? '' : embeddingUrl)
}

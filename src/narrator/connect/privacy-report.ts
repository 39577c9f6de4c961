import type { PrivacyReport } from '../../domain/model/privacy-report.ts'
import { addressClass } from '../policy/addresses.ts'
import type { EndpointConnection } from './endpoint-connection.ts'

/** Reports what is already known about the addresses, without sending anything. */
export function privacyReport(
  connection: EndpointConnection,
  url: string,
  embeddingUrl: string,
): PrivacyReport {
  const withClass = <T extends { address: string }>(entry: T) => ({
    ...entry,
    class: addressClass(entry.address) ?? '',
  })
  const checked = (address: string): PrivacyReport['checked'] => {
    const check = connection.lastCheck(address)
    return check && { at: check.at, addresses: check.addresses.map((one) => withClass({ address: one })) }
  }
  return {
    checked: checked(url),
    embedding_server: embeddingUrl,
    embedding_checked: embeddingUrl === '' ? null : checked(embeddingUrl),
    sent: connection.sentRequests().map(withClass),
  }
}

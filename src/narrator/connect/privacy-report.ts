import { addressClass } from '../policy/addresses.ts'
import type { EndpointConnection } from './endpoint-connection.ts'
import type { LoggedRequest } from './request-log.ts'

/** Where data can be sent, and where it was sent. */
export interface PrivacyReport {
  /** The last look-up of the host; null if it was not looked up since the start, or was refused. */
  checked: { at: Date; addresses: { address: string; class: string }[] } | null
  /** The address of an embedding server of its own, '' without one, and its last look-up. */
  embedding_server: string
  embedding_checked: PrivacyReport['checked']
  /** Every request since the start, the most recent first. */
  sent: (LoggedRequest & { class: string })[]
}

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

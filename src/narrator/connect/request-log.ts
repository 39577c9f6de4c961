import type { LoggedRequest } from '../../domain/model/privacy-report.ts'

const MAX_ENTRIES = 300

/** A record of every request that left this machine, so that the player can see where data went. */
export class RequestLog {
  private readonly entries = new Map<string, LoggedRequest>()

  add(request: Pick<LoggedRequest, 'host' | 'address' | 'path'>, last: Date): void {
    const key = `${request.host} ${request.address} ${request.path}`
    const times = (this.entries.get(key)?.times ?? 0) + 1
    this.entries.delete(key)
    this.entries.set(key, { ...request, times, last })
    const [oldest] = this.entries.keys()
    if (this.entries.size > MAX_ENTRIES && oldest !== undefined) this.entries.delete(oldest)
  }

  /** The most recent first. */
  list(): LoggedRequest[] {
    return [...this.entries.values()].reverse()
  }
}

/** Requests with the same host, address and path, counted since the start. */
export interface LoggedRequest {
  /** As in the saved endpoint, with its port. */
  host: string
  /** The IP address that was connected to. */
  address: string
  path: string
  times: number
  last: Date
}

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

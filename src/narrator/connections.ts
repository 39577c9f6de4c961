/** Requests of one kind that left for one address since the start. */
export interface Connection {
  /** As the address in the settings names it, with its port. */
  host: string
  /** The very address that was connected to. */
  address: string
  path: string
  times: number
  last: Date
}

/** More kinds than these are not shown; the ones that were used longest ago go first. */
const MOST_KINDS = 300

/** Where requests went since the start: what leaves the house is written down as it leaves. */
export class Connections {
  private readonly known = new Map<string, Connection>()

  note(request: Pick<Connection, 'host' | 'address' | 'path'>, last: Date): void {
    const key = `${request.host} ${request.address} ${request.path}`
    const times = (this.known.get(key)?.times ?? 0) + 1
    this.known.delete(key)
    this.known.set(key, { ...request, times, last })
    const [oldest] = this.known.keys()
    if (this.known.size > MOST_KINDS && oldest !== undefined) this.known.delete(oldest)
  }

  /** The newest first. */
  list(): Connection[] {
    return [...this.known.values()].reverse()
  }
}

import { addressOf, type ServiceProcess, spawnService } from './process.ts'

/** A request as a script or a page sends it. */
export interface Ask {
  method: string
  path: string
  /** Sent as JSON. */
  body?: unknown
  /** Sent as a form, instead of `body`. */
  form?: Record<string, string>
}

/** The service in its own process, as an API client sees it. */
export class Service {
  private constructor(
    readonly child: ServiceProcess,
    readonly address: string,
  ) {}

  static async start(env: Record<string, string>, ...before: string[]): Promise<Service> {
    const child = spawnService(env, { before })
    return new Service(child, await addressOf(child))
  }

  ask(method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(new URL(path, this.address), initOf({ method, path, body }))
  }

  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire
  async json(method: string, path: string, body?: unknown): Promise<any> {
    return (await this.ask(method, path, body)).json()
  }

  /** Plays a turn and returns its events. */
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire
  async turn(path: string, body?: unknown): Promise<any[]> {
    const text = await (await this.ask('POST', path, body)).text()
    return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data))
  }

  /** Kills the process, as a power cut would. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL')
    await this.child.exited
  }

  /** Ends the process as a person or the system does. Returns the exit code. */
  async end(signal: 'SIGTERM' | 'SIGINT' = 'SIGTERM'): Promise<number> {
    this.child.kill(signal)
    return this.child.exited
  }
}

/** The options for `fetch`. */
export function initOf({ method, body, form }: Ask): RequestInit {
  if (form) return { method, body: new URLSearchParams(form), redirect: 'manual' }
  if (body === undefined) return { method, redirect: 'manual' }
  return {
    method,
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
    redirect: 'manual',
  }
}

import { join } from 'node:path'

/** The service in a process of its own, as a player runs it, played over its API only. */
export class ServiceProcess implements AsyncDisposable {
  private constructor(
    private readonly child: Bun.Subprocess<'ignore', 'pipe', Bun.BunFile>,
    readonly address: string,
  ) {}

  /** `project` is the folder of the version to measure; `folder` gets its library and its log. */
  static async start(project: string, folder: string): Promise<ServiceProcess> {
    const child = Bun.spawn([process.execPath, join(project, 'src/index.ts')], {
      env: { PATH: process.env.PATH ?? '', APP_PORT: '0', APP_DB_PATH: join(folder, 'library.db') },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: Bun.file(join(folder, 'service.log')),
    })
    // Nothing else ends it when the run is interrupted.
    process.on('exit', () => child.kill())
    for await (const bytes of child.stdout as unknown as AsyncIterable<Uint8Array>) {
      const address = /http:\S+/.exec(new TextDecoder().decode(bytes))?.[0]
      if (address) return new ServiceProcess(child, address)
    }
    throw new Error(`The service did not start. Its log: ${join(folder, 'service.log')}`)
  }

  /** Sends JSON and reads JSON. Throws for any other status than a success. */
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire
  async json(method: string, path: string, body?: object): Promise<any> {
    const response = await this.ask(method, path, body)
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    return text === '' ? null : JSON.parse(text)
  }

  ask(method: string, path: string, body?: object): Promise<Response> {
    return fetch(new URL(path, this.address), {
      method,
      // A slow machine may be silent for longer than the client's own limit.
      timeout: false,
      ...(body ? { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } } : {}),
    } as RequestInit)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGTERM')
    await this.child.exited
  }
}

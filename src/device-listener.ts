import { networkInterfaces } from 'node:os'
import type { NetworkListener } from './app/deps.ts'
import type { Devices } from './app/devices/devices.ts'
import { StoryError } from './domain/errors.ts'
import { answerVisitor } from './http/visitor.ts'
import {
  addressClass,
  isSameAddress,
  NETWORK_NAMES,
  outsideNetworkOf,
  PUBLIC_INTERNET,
} from './narrator/policy/addresses.ts'
import { isInUse, ownAddress } from './own-address.ts'
import { serveOptions } from './serve-options.ts'

interface Service {
  devices: Devices
  ownPort: () => number
  answer: (request: Request) => Promise<Response>
}

/** Listener for other devices, at an address that the player chooses. Off at every start. */
export class DeviceListener implements NetworkListener {
  readonly #service: Service
  #server: Bun.Server<undefined> | null = null
  #listening: string | null = null
  #changed: Promise<void> = Promise.resolve()

  constructor(service: Service) {
    this.#service = service
  }

  listening(): string | null {
    return this.#listening
  }

  addresses(): string[] {
    return Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal, address, scopeid }) => !internal && !scopeid && !isPublic(address))
      .map(({ address }) => address)
  }

  port(): number {
    const next = this.#service.ownPort() + 1
    return next > 65_535 ? 1024 : next
  }

  open(typed: string, port: number): Promise<void> {
    return this.#change(async () => {
      const address = this.#chosen(typed)
      await this.#stop()
      try {
        this.#server = Bun.serve({
          ...serveOptions(address, port),
          fetch: (request, server) => this.#answer(request, server),
        })
      } catch (error) {
        throw unusable(error, address, port)
      }
      this.#listening = ownAddress(address, this.#server.port ?? port)
    })
  }

  close(): Promise<void> {
    return this.#change(() => this.#stop())
  }

  #change(make: () => Promise<void>): Promise<void> {
    const made = this.#changed.then(make)
    this.#changed = made.catch(() => {})
    return made
  }

  async #stop(): Promise<void> {
    const server = this.#server
    this.#server = null
    this.#listening = null
    this.#service.devices.clear()
    await server?.stop(true)
  }

  // Loopback addresses, of which most systems list only the first, are for trying it out.
  #chosen(typed: string): string {
    const found = this.addresses().find((address) => isSameAddress(address, typed))
    if (found !== undefined) return found
    if (addressClass(typed) === NETWORK_NAMES.loopback) return typed
    const reason = isPublic(typed)
      ? 'The whole internet could reach this address. Choose one of your own network.'
      : 'This is no address of this machine in your network.'
    throw unfit('address', reason)
  }

  #answer(request: Request, server: Bun.Server<undefined>): Response | Promise<Response> {
    const { devices, answer } = this.#service
    const device = server.requestIP(request)?.address
    const listening = this.#listening
    // The connection or the listener is gone.
    if (device === undefined || listening === null) return new Response(null, { status: 503 })
    const visitor = {
      host: new URL(listening).host,
      allowed: devices.allowance(device),
      wait: () => devices.wait(device),
    }
    return answerVisitor(visitor, request, answer)
  }
}

function isPublic(address: string): boolean {
  return outsideNetworkOf(address)?.name === PUBLIC_INTERNET
}

function unusable(error: unknown, address: string, port: number): unknown {
  const { code } = error as { code?: string }
  if (isInUse(error)) return unfit('port', `Port ${port} is in use. Choose another number.`)
  if (code === 'EACCES')
    return unfit('port', `Port ${port} is reserved for the system. Choose a larger number.`)
  return code === 'EADDRNOTAVAIL'
    ? unfit('address', `This machine no longer has the address ${address}.`)
    : error
}

function unfit(field: 'address' | 'port', message: string): StoryError {
  return new StoryError('invalid', message, { errors: [{ path: `/${field}`, message }] })
}

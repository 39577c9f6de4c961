import { afterAll } from 'bun:test'
import { type AddressInfo, connect, createServer } from 'node:net'
import type { TestServer } from './server.ts'

/** Another device, by an address of this machine's loopback range. */
export interface Phone {
  address: string
  /** Sends a request to the listener for other devices, with its name as Host if no other is given. */
  ask(path: string, init?: RequestInit): Promise<Response>
  /** For a browser: a proxy whose connections come from the device. */
  proxy: { server: string; bypass: string }
}

const forwarders: { close(): void }[] = []

afterAll(() => {
  for (const forwarder of forwarders.splice(0)) forwarder.close()
})

/** Switches reading on other devices on, at a loopback address. Returns the address. */
export async function listenForPhones(server: TestServer): Promise<string> {
  const { body } = await server.send('PUT', '/api/devices', { address: '127.0.0.2', port: 0 })
  return body.listening
}

/** A device at an address: whatever it sends to the listener comes from there. */
export async function startPhone(listening: string, address = '127.0.0.3'): Promise<Phone> {
  const { hostname: host, port, host: name } = new URL(listening)
  const forwarder = createServer((from) => {
    const to = connect({ host, port: Number(port), localAddress: address })
    from.pipe(to).pipe(from)
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const)
      one.on('error', () => {}).on('close', () => other.destroy())
  })
  await new Promise<void>((resolve) => forwarder.listen(0, '127.0.0.1', resolve))
  forwarders.push(forwarder)
  const own = `http://127.0.0.1:${(forwarder.address() as AddressInfo).port}`
  return {
    address,
    ask: (path, init = {}) =>
      fetch(new URL(path, own), {
        redirect: 'manual',
        ...init,
        headers: { Host: name, ...(init.headers as Record<string, string>) },
      }),
    proxy: { server: own, bypass: '<-loopback>' },
  }
}

/** Allows a device that has asked at least once. */
export async function letIn(server: TestServer, { address }: Phone, until = 'today'): Promise<void> {
  const { waiting } = (await server.get('/api/devices')).body
  const code = waiting.find((one: { address: string }) => one.address === address)?.code
  await server.post('/api/devices/allow', { address, code, until })
}

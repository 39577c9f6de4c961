import { connect, type Socket } from 'node:net'

/** Sends bytes that no HTTP client would send, and returns everything received until the server closes the connection. */
export function sendRaw(address: string, request: string | Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connectTo(address, () => socket.write(request))
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('close', () => resolve(received))
    socket.on('error', reject)
  })
}

/** Sends the start of a request, then the rest once it is there, and returns everything received. */
export async function sendInParts(
  address: string,
  beginning: string,
  rest: () => Promise<string>,
): Promise<string> {
  const socket = await begin(address, beginning)
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  const closed = new Promise((resolve) => socket.on('close', resolve))
  // The service has the beginning when it has answered another request that was sent after it.
  socket.write(await rest())
  await closed
  return received
}

/** Sends the start of a request, then disconnects. */
export async function cutOff(address: string, beginning: string | Uint8Array): Promise<void> {
  const socket = await begin(address, beginning)
  await leave(socket)
}

/** Sends the start of a request, then nothing more. */
export function begin(address: string, beginning: string | Uint8Array): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectTo(address, () => socket.write(beginning, () => resolve(socket)))
    socket.once('error', reject)
  })
}

/** Closes the connection. */
export function leave(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve())
    socket.destroy()
  })
}

/** The status codes of all responses in what was received. */
export function statusesIn(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
}

/** A response without its head. */
export function bodyOf(response: string): string {
  return response.slice(response.indexOf('\r\n\r\n') + 4)
}

function connectTo(address: string, connected: () => void): Socket {
  const { hostname, port } = new URL(address)
  return connect(Number(port), hostname, connected)
}

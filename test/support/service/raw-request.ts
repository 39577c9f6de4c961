import { connect, type Socket } from 'node:net'

/** Sends bytes to a port and gives back all that is answered until the other side closes. For what no client would send. */
export function sendRaw(address: string, request: string | Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connectTo(address, () => socket.write(request))
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}

/** Sends the beginning of a request and leaves. */
export async function cutOff(address: string, beginning: string | Uint8Array): Promise<void> {
  const socket = await begin(address, beginning)
  await leave(socket)
}

/** Sends the beginning of a request and stays silent. */
export function begin(address: string, beginning: string | Uint8Array): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectTo(address, () => socket.write(beginning, () => resolve(socket)))
    socket.once('error', reject)
  })
}

/** Hangs up. */
export function leave(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve())
    socket.destroy()
  })
}

/** The status of each answer in what was sent back. */
export function statusesIn(answer: string): number[] {
  return [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
}

/** What is left of an answer without its head. */
export function bodyOf(answer: string): string {
  return answer.slice(answer.indexOf('\r\n\r\n') + 4)
}

function connectTo(address: string, connected: () => void): Socket {
  const { hostname, port } = new URL(address)
  return connect(Number(port), hostname, connected)
}

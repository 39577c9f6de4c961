import { connect } from 'node:net'

/** Sends bytes to a port and gives back all that is answered until the other side closes. For what no client would send. */
export function sendRaw(address: string, request: string): Promise<string> {
  const { hostname, port } = new URL(address)
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(Number(port), hostname, () => socket.write(request))
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}

/** Sends the beginning of a request and leaves. */
export function cutOff(address: string, beginning: string): Promise<void> {
  const { hostname, port } = new URL(address)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(beginning, () => socket.destroy()))
    socket.once('close', () => resolve())
    socket.once('error', reject)
  })
}

import dgram from 'node:dgram'
import dns from 'node:dns'
import net from 'node:net'

/**
 * Disables the functions with which the engine's packages could open connections: this process gets stories, and its code
 * is not ours. The packages are made for Node, so they do not use Bun's own functions.
 */
export function goOffline(): void {
  const refuse = (): never => {
    throw new Error('The engine opens no connections.')
  }
  const refuseLater = async () => refuse()
  Object.assign(globalThis, { fetch: refuseLater, WebSocket: refuse, EventSource: refuse })
  Object.assign(net.Socket.prototype, { connect: refuse })
  Object.assign(net, { connect: refuse, createConnection: refuse })
  Object.assign(dgram, { createSocket: refuse })
  Object.assign(dns, { lookup: refuse, resolve: refuse })
}
